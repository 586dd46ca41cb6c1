import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Spark } from "./chart.js";
import type { Fleet, SeenRow } from "./feed.js";
import { plural, usd } from "./format.js";
import { KIND_NAMES, KINDS } from "./kinds.js";
import { Dots, Section, State, Table, usePages } from "./parts.js";
import type { Kind, Load } from "./protocol";
import { isRefused, RequestTable } from "./requests.js";
import { linkTo } from "./route.js";

const MOST_ENDPOINTS = 10;
const MOST_OF_A_KIND = 4;
const MOST_REFUSED = 5;
const MOST_REQUESTS = 8;
const ON_PAGE = 50;
/** How long a change stays marked, ms. */
const MARKED_MS = 2500;

/** An overview: one line per resource, what was refused lately, and the latest calls. */
export function OverviewPage({ fleet, now }: { fleet: Fleet; now: number }) {
  const kinds = KIND_NAMES.filter((kind) => (fleet.rows.get(kind)?.size ?? 0) > 0);
  const refused = fleet.requests.filter(isRefused).slice(0, MOST_REFUSED);
  return (
    <>
      {kinds.length === 0 && <p>The account is empty. Run a program against it, and watch.</p>}
      {kinds.length > 0 && (
        <ResourceTable label="Resources">
          {kinds.map((kind) => {
            const rows = [...(fleet.rows.get(kind)?.values() ?? [])];
            return (
              <tbody key={kind}>
                <tr class="group">
                  <th scope="rowgroup" colSpan={5}>
                    <a href={linkTo(kind)}>{KINDS[kind].title}</a>{" "}
                    <span class="quiet">{rows.length.toLocaleString("en")}</span>
                  </th>
                </tr>
                <Rows rows={rows.slice(0, kind === "endpoints" ? MOST_ENDPOINTS : MOST_OF_A_KIND)} now={now} />
              </tbody>
            );
          })}
        </ResourceTable>
      )}
      {refused.length > 0 && (
        <Section title="Refused or failed lately">
          <RequestTable label="Refused requests" requests={refused} />
        </Section>
      )}
      <Section title="Latest requests">
        <RequestTable label="Requests" requests={fleet.requests.slice(0, MOST_REQUESTS)} />
        <a href="#/requests">All requests</a>
      </Section>
    </>
  );
}

/** All resources of a kind, found by name, id, state or facts. */
export function KindPage({ kind, fleet, now }: { kind: Kind; fleet: Fleet; now: number }) {
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
      <ResourceTable label={KINDS[kind].title}>
        <tbody>
          <Rows rows={shown} now={now} />
        </tbody>
      </ResourceTable>
      {pager}
    </>
  );
}

const ResourceTable = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <Table class="resources" label={label} head={["Name", "State", "Id", "Facts", "USD an hour"]}>
    {children}
  </Table>
);

function Rows({ rows, now }: { rows: readonly SeenRow[]; now: number }) {
  return (
    <>
      {rows.map((row) => (
        <tr key={row.id} class={performance.now() - (row.changedAt ?? -MARKED_MS) < MARKED_MS ? "changed" : ""}>
          <th scope="row" title={row.name}>
            <a href={linkTo(row.kind, row.id)}>{row.name || row.id}</a>
          </th>
          <td>
            <State of={row.state} />
          </td>
          <td class="id" title={row.id}>
            {row.id}
          </td>
          <td title={row.facts.join(" · ")}>
            {row.load !== undefined && <Work row={row} load={row.load} now={now} />}
            {row.facts.join(" · ")}
          </td>
          <td class="number">
            {row.load !== undefined && <Trail row={row} of="hourly" title="USD an hour" tone="idle" now={now} />}
            {row.hourly > 0 ? usd(row.hourly) : ""}
          </td>
        </tr>
      ))}
    </>
  );
}

/** An endpoint's workers as dots, and its jobs. */
function Work({ row, load, now }: { row: SeenRow; load: Load; now: number }) {
  const { workers, most, queued, inProgress, failed } = load;
  return (
    <span class="work">
      <Dots workers={workers} most={most} />
      <Trail row={row} of="queued" title="Jobs in queue" tone="starting" now={now} />
      <span class="jobs">
        {queued} queued, {inProgress} running{failed > 0 && <span class="unhealthy">, {failed} failed</span>}
      </span>
    </span>
  );
}

interface TrailProps {
  readonly row: SeenRow;
  readonly of: "queued" | "hourly";
  readonly title: string;
  readonly tone: string;
  readonly now: number;
}

function Trail({ row: { trail }, of, title, tone, now }: TrailProps) {
  const values = trail.map((point) => point[of]);
  return (
    <Spark title={`${title} over time`} times={trail.map(({ at }) => at)} values={values} until={now} tone={tone} />
  );
}

const textOf = ({ name, id, state, facts }: SeenRow): string => [name, id, state, ...facts].join(" ").toLowerCase();
