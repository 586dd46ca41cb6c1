import { useState } from "preact/hooks";
import type { Fleet } from "./feed.js";
import { plural, usd } from "./format.js";
import { KIND_NAMES, KINDS } from "./kinds.js";
import { Section, State, Table, usePages } from "./parts.js";
import type { Kind, Row } from "./protocol";
import { RequestTable } from "./requests.js";
import { linkTo } from "./route.js";

const ON_OVERVIEW = 10;
const ON_PAGE = 50;
const REQUESTS_ON_OVERVIEW = 10;

/** An overview: the kinds with resources, and the latest calls. */
export function OverviewPage({ fleet }: { fleet: Fleet }) {
  const kinds = KIND_NAMES.filter((kind) => (fleet.rows.get(kind)?.size ?? 0) > 0);
  return (
    <>
      {kinds.length === 0 && <p>The account is empty. Run a program against it, and watch.</p>}
      {kinds.map((kind) => {
        const rows = [...(fleet.rows.get(kind)?.values() ?? [])];
        return (
          <Section key={kind} title={KINDS[kind].title}>
            <ResourceTable kind={kind} rows={rows.slice(0, ON_OVERVIEW)} />
            {rows.length > ON_OVERVIEW && (
              <a href={linkTo(kind)}>
                All {rows.length.toLocaleString("en")} {KINDS[kind].title.toLowerCase()}
              </a>
            )}
          </Section>
        );
      })}
      <Section title="Latest requests">
        <RequestTable requests={fleet.requests.slice(0, REQUESTS_ON_OVERVIEW)} />
        <a href="#/requests">All requests</a>
      </Section>
    </>
  );
}

/** All resources of a kind, found by name, id, state or facts. */
export function KindPage({ kind, fleet }: { kind: Kind; fleet: Fleet }) {
  const [wanted, setWanted] = useState("");
  const all = [...(fleet.rows.get(kind)?.values() ?? [])];
  const found = wanted === "" ? all : all.filter((row) => textOf(row).includes(wanted.toLowerCase()));
  const { shown, pager } = usePages(found, ON_PAGE);
  return (
    <>
      <p class="filters">
        <label>
          Find <input type="search" value={wanted} onInput={({ currentTarget }) => setWanted(currentTarget.value)} />
        </label>
        <span role="status">{plural(found.length, "resource")}</span>
      </p>
      <ResourceTable kind={kind} rows={shown} />
      {pager}
    </>
  );
}

function ResourceTable({ kind, rows }: { kind: Kind; rows: readonly Row[] }) {
  return (
    <Table label={KINDS[kind].title} head={["Name", "State", "Id", "What", "USD an hour"]}>
      {rows.map((row) => (
        <tr key={row.id}>
          <th scope="row">
            <a href={linkTo(kind, row.id)}>{row.name || row.id}</a>
          </th>
          <td>
            <State of={row.state} />
          </td>
          <td class="id">{row.id}</td>
          <td>{row.facts.join(" · ")}</td>
          <td class="number">{row.hourly > 0 ? usd(row.hourly) : ""}</td>
        </tr>
      ))}
    </Table>
  );
}

const textOf = ({ name, id, state, facts }: Row): string => [name, id, state, ...facts].join(" ").toLowerCase();
