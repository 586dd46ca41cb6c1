import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Spark } from "./chart.js";
import { HourlyCost } from "./costs.js";
import type { Fleet, SeenRow } from "./feed.js";
import { plural, usd } from "./format.js";
import { KIND_NAMES, KINDS } from "./kinds.js";
import { Dots, needsLook, Section, State, Table, urgencyOf, usePages } from "./parts.js";
import type { Kind, Load } from "./protocol";
import { isRefused, RequestTable } from "./requests.js";
import { linkTo } from "./route.js";

/** Of each kind, on the overview. */
const MOST_OF_A_KIND = 50;
const MOST_REFUSED = 5;
const MOST_REQUESTS = 8;
const ON_PAGE = 50;
/** The end of a name, which tells it from others, is never cut off. */
const TAIL = 12;
/** How long a change stays marked, ms. */
const MARKED_MS = 2500;

/** An overview: what it costs, one line per resource, what was refused lately, and the latest calls. */
export function OverviewPage({ fleet, now }: { fleet: Fleet; now: number }) {
  const kinds = KIND_NAMES.filter((kind) => (fleet.rows.get(kind)?.size ?? 0) > 0);
  const urgent = KIND_NAMES.flatMap((kind) => rowsOf(fleet, kind).filter(needsLook)).sort(byUrgency);
  const refused = fleet.requests.filter(isRefused).slice(0, MOST_REFUSED);
  return (
    <>
      {kinds.length === 0 && <p>The account is empty. Run a program against it, and watch.</p>}
      {kinds.length > 0 && <HourlyCost fleet={fleet} />}
      {kinds.length > 0 && (
        <ResourceTable label="Resources">
          {urgent.length > 0 && (
            <tbody>
              <tr class="group">
                <th scope="rowgroup" colSpan={5}>
                  Needs a look <span class="quiet">{urgent.length.toLocaleString("en")}</span>
                </th>
              </tr>
              <Rows rows={urgent.slice(0, MOST_OF_A_KIND)} now={now} />
            </tbody>
          )}
          {kinds.map((kind) => {
            const rows = rowsOf(fleet, kind).filter((row) => !urgent.includes(row));
            const more = rows.length - MOST_OF_A_KIND;
            return (
              <tbody key={kind}>
                <tr class="group">
                  <th scope="rowgroup" colSpan={5}>
                    <a href={linkTo(kind)}>{KINDS[kind].title}</a>{" "}
                    <span class="quiet">{rows.length.toLocaleString("en")}</span>
                  </th>
                </tr>
                <Rows rows={rows.slice(0, MOST_OF_A_KIND)} now={now} />
                {more > 0 && (
                  <tr>
                    <td colSpan={5}>
                      <a href={linkTo(kind)}>{more.toLocaleString("en")} more</a>
                    </td>
                  </tr>
                )}
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
  const all = rowsOf(fleet, kind);
  const matches = wanted === "" ? all : all.filter((row) => textOf(row).includes(wanted.toLowerCase()));
  const { pageItems, pager } = usePages(matches, ON_PAGE);
  return (
    <>
      <p class="filters">
        <label>
          Find <input type="search" value={wanted} onInput={({ currentTarget }) => setWanted(currentTarget.value)} />
        </label>
        <span role="status">{plural(matches.length, "resource")}</span>
      </p>
      {all.length === 0 && (
        <p>There are none. What a program creates, or a call to the service, appears here at once.</p>
      )}
      {all.length > 0 && (
        <ResourceTable label={KINDS[kind].title}>
          <tbody>
            <Rows rows={pageItems} now={now} />
          </tbody>
        </ResourceTable>
      )}
      {pager}
    </>
  );
}

/** What needs eyes comes first, otherwise the oldest. */
const rowsOf = ({ rows }: Fleet, kind: Kind): readonly SeenRow[] =>
  [...(rows.get(kind)?.values() ?? [])].sort(byUrgency);

const byUrgency = (one: SeenRow, other: SeenRow): number => urgencyOf(one) - urgencyOf(other);

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
            <a href={linkTo(row.kind, row.id)} aria-label={row.name || row.id}>
              <span>{row.name.slice(0, -TAIL) || row.name || row.id}</span>
              <span>{row.name.slice(0, -TAIL) && row.name.slice(-TAIL)}</span>
            </a>
          </th>
          <td>
            <State of={row.state} />
          </td>
          <td class="id" title={row.id}>
            {row.id}
          </td>
          <td title={row.facts.join(" · ")}>
            {row.load !== undefined && <Work load={row.load} now={now} />}
            {row.facts.join(" · ")}
          </td>
          <td class="number">
            {row.load !== undefined && (
              <Spark title="USD an hour over time" history={row.load.history} of="hourly" until={now} tone="idle" />
            )}
            <span class="price">{row.hourly > 0 ? usd(row.hourly) : ""}</span>
          </td>
        </tr>
      ))}
    </>
  );
}

/** An endpoint's workers as dots, and its jobs. */
function Work({ load, now }: { load: Load; now: number }) {
  const { workers, most, queued, inProgress, failed } = load;
  return (
    <span class="work">
      <Dots workers={workers} most={most} />
      <Spark title="Jobs in queue over time" history={load.history} of="queued" until={now} tone="starting" />
      <span class="jobs">{queued} queued</span>
      <span class="jobs">{inProgress} running</span>
      <span class={`jobs ${failed > 0 ? "unhealthy" : "quiet"}`}>{failed} failed</span>
    </span>
  );
}

const textOf = ({ name, id, state, facts }: SeenRow): string => [name, id, state, ...facts].join(" ").toLowerCase();
