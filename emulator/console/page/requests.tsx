import { useState } from "preact/hooks";
import type { Fleet } from "./feed.js";
import { duration, plural, timeOfDay } from "./format.js";
import { Table, usePages } from "./parts.js";
import type { RequestLine } from "./protocol";

const ON_PAGE = 50;
const SLOW_MS = 500;
/** A pause between two calls that separates runs, by the emulator's clock. */
const PAUSE_MS = 5000;
const INTERFACES = ["rest", "graphql", "queue", "endpoint", "pod"] as const;

export const isRefused = ({ refusal, status }: RequestLine): boolean => refusal !== undefined || status >= 400;
const isSlow = ({ ms }: RequestLine) => ms >= SLOW_MS;

const OUTCOMES = {
  all: () => true,
  refused: isRefused,
  slow: isSlow,
  changes: ({ method, operation }: RequestLine) => method !== "GET" && operation !== "myself",
} satisfies Record<string, (line: RequestLine) => boolean>;
type OutcomeName = keyof typeof OUTCOMES;

export function RequestsPage({ fleet }: { fleet: Fleet }) {
  const [wanted, setWanted] = useState("");
  const [interfaceName, setInterface] = useState("");
  const [outcome, setOutcome] = useState<OutcomeName>("all");
  const matches = fleet.requests.filter(
    (line) =>
      OUTCOMES[outcome](line) &&
      (interfaceName === "" || line.interface === interfaceName) &&
      (wanted === "" || textOf(line).includes(wanted.toLowerCase())),
  );
  const { pageItems, pager } = usePages(matches, ON_PAGE);
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
        <span>{plural(matches.length, "request")}</span>
      </p>
      <RequestTable label="Requests" requests={pageItems} runs={runsOf(fleet.requests)} />
      {pager}
    </>
  );
}

interface RequestTableProps {
  readonly label: string;
  readonly requests: readonly RequestLine[];
  /** The runs that the requests are shown under. */
  readonly runs?: readonly (readonly RequestLine[])[];
}

export function RequestTable({ label, requests, runs = [requests] }: RequestTableProps) {
  const requestSet = new Set(requests);
  return (
    <Table class="requests" label={label} head={["Time", "Operation", "Call", "Status", "ms", "Refused"]}>
      {runs.map((run) => {
        const lines = run.filter((line) => requestSet.has(line));
        if (lines.length === 0) return null;
        return (
          <tbody key={run.at(-1)?.number}>
            {run !== requests && <RunLine run={run} />}
            {lines.map((line) => (
              <Line key={line.number} line={line} />
            ))}
          </tbody>
        );
      })}
    </Table>
  );
}

function RunLine({ run }: { run: readonly RequestLine[] }) {
  const from = run.at(-1)?.at ?? 0;
  const refused = run.filter(isRefused).length;
  const slow = run.filter(isSlow).length;
  return (
    <tr class="group">
      <th scope="rowgroup" colSpan={6}>
        Run at {timeOfDay(from)}{" "}
        <span class="quiet">
          {plural(run.length, "request")} in {duration((run[0]?.at ?? from) - from)}
        </span>
        {refused > 0 && <span class="unhealthy"> {refused} refused</span>}
        {slow > 0 && <span class="starting"> {slow} slow</span>}
      </th>
    </tr>
  );
}

function Line({ line }: { line: RequestLine }) {
  const { method, path, status, refusal, operation } = line;
  const why = refusal && `${refusal.by}: ${refusal.why}`;
  return (
    <tr>
      <td class="id">{timeOfDay(line.at)}</td>
      <th scope="row" title={operation}>
        {operation || "unknown"}
      </th>
      <td class="id" title={`${method} ${path}`}>
        {line.interface} {method} {path}
      </td>
      <td>
        <span class={isRefused(line) ? "state unhealthy" : ""}>{status || "none"}</span>
      </td>
      <td class="number" data-label="ms">
        <span class={isSlow(line) ? "starting" : ""}>{line.ms}</span>
      </td>
      <td title={why}>{why}</td>
    </tr>
  );
}

function runsOf(requests: readonly RequestLine[]): RequestLine[][] {
  const runs: RequestLine[][] = [];
  for (const line of requests) {
    const run = runs.at(-1);
    const next = run?.at(-1);
    if (run === undefined || next === undefined || next.at - line.at > PAUSE_MS) runs.push([line]);
    else run.push(line);
  }
  return runs;
}

const textOf = ({ operation, method, path, status, refusal }: RequestLine): string =>
  `${operation} ${method} ${path} ${status} ${refusal?.why ?? ""}`.toLowerCase();
