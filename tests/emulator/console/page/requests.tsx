import { useState } from "preact/hooks";
import type { Fleet } from "./feed.js";
import { plural, timeOfDay } from "./format.js";
import { Table, usePages } from "./parts.js";
import type { RequestLine } from "./protocol";

const ON_PAGE = 50;
const INTERFACES = ["rest", "graphql", "queue"] as const;
const OUTCOMES = {
  all: () => true,
  refused: ({ refusal, status }: RequestLine) => refusal !== undefined || status >= 400,
  changes: ({ method, operation }: RequestLine) => method !== "GET" && operation !== "myself",
} satisfies Record<string, (line: RequestLine) => boolean>;
type OutcomeName = keyof typeof OUTCOMES;

/** Every call that came in, newest first. */
export function RequestsPage({ fleet }: { fleet: Fleet }) {
  const [wanted, setWanted] = useState("");
  const [interfaceName, setInterface] = useState("");
  const [outcome, setOutcome] = useState<OutcomeName>("all");
  const found = fleet.requests.filter(
    (line) =>
      OUTCOMES[outcome](line) &&
      (interfaceName === "" || line.interface === interfaceName) &&
      (wanted === "" || textOf(line).includes(wanted.toLowerCase())),
  );
  const { shown, pager } = usePages(found, ON_PAGE);
  return (
    <>
      <p class="filters">
        <label>
          Find <input type="search" value={wanted} onInput={({ currentTarget }) => setWanted(currentTarget.value)} />
        </label>
        <label>
          Interface{" "}
          <select value={interfaceName} onChange={({ currentTarget }) => setInterface(currentTarget.value)}>
            <option value="">all</option>
            {INTERFACES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Show{" "}
          <select value={outcome} onChange={({ currentTarget }) => setOutcome(currentTarget.value as OutcomeName)}>
            {Object.keys(OUTCOMES).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <span>{plural(found.length, "request")}</span>
      </p>
      <RequestTable requests={shown} />
      {pager}
    </>
  );
}

export function RequestTable({ requests }: { requests: readonly RequestLine[] }) {
  return (
    <Table label="Requests" head={["Time", "Interface", "Operation", "Call", "Status", "ms", "Refused"]}>
      {requests.map((line) => (
        <tr key={line.number}>
          <td class="id time">{timeOfDay(line.at)}</td>
          <td>{line.interface}</td>
          <th scope="row">{line.operation || "unknown"}</th>
          <td class="id">
            {line.method} {line.path}
          </td>
          <td>
            <span class={line.status >= 400 ? "state bad" : ""}>{line.status || "none"}</span>
          </td>
          <td class="number">{line.ms}</td>
          <td>{line.refusal && `${line.refusal.by}: ${line.refusal.why}`}</td>
        </tr>
      ))}
    </Table>
  );
}

const textOf = ({ operation, method, path, status, refusal }: RequestLine): string =>
  `${operation} ${method} ${path} ${status} ${refusal?.why ?? ""}`.toLowerCase();
