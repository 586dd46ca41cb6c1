import { Stack } from "./chart.js";
import type { Fleet } from "./feed.js";
import { usd } from "./format.js";
import { KIND_NAMES, KINDS } from "./kinds.js";
import { Table } from "./parts.js";
import type { DayCost, Kind } from "./protocol";

const TONES: Readonly<Partial<Record<Kind, string>>> = {
  endpoints: "running",
  pods: "idle",
  clusters: "throttled",
  networkVolumes: "starting",
};
const HOURS_A_MONTH = 730;

const sum = (amounts: Iterable<number>): number => [...amounts].reduce((all, amount) => all + amount, 0);
const hourlyCostOf = ({ rows }: Fleet, kind: Kind): number =>
  sum(Array.from(rows.get(kind)?.values() ?? [], ({ hourly }) => hourly));
const costOf = (days: readonly DayCost[], kind: Kind): number => sum(days.map(({ amounts }) => amounts[kind] ?? 0));

/** The present cost of all resources, in USD an hour. */
export const hourlyCost = (fleet: Fleet): number => sum(KIND_NAMES.map((kind) => hourlyCostOf(fleet, kind)));

export function HourlyCost({ fleet }: { fleet: Fleet }) {
  return (
    <p>
      <a href="#/costs">Costs</a> an hour: <strong>{usd(hourlyCost(fleet))}</strong>
      {paidKinds(fleet).map((kind) => (
        <span key={kind} class={`key ${TONES[kind] ?? ""}`}>
          {KINDS[kind].title} {usd(hourlyCostOf(fleet, kind))}
        </span>
      ))}
    </p>
  );
}

const paidKinds = (fleet: Fleet): readonly Kind[] =>
  KIND_NAMES.filter((kind) => hourlyCostOf(fleet, kind) > 0 || costOf(fleet.costByDay, kind) > 0);

export function CostsPage({ fleet }: { fleet: Fleet }) {
  const { costByDay } = fleet;
  const kinds = paidKinds(fleet);
  const head = ["When", ...kinds.map((kind) => KINDS[kind].title), "All", "By day"];
  const lines = [
    { name: "An hour, now", isDay: false, costOf: (kind: Kind) => hourlyCostOf(fleet, kind) },
    { name: "A month like this", isDay: false, costOf: (kind: Kind) => hourlyCostOf(fleet, kind) * HOURS_A_MONTH },
    ...costByDay.map((day) => ({ name: day.day, isDay: true, costOf: (kind: Kind) => costOf([day], kind) })).reverse(),
  ];
  const most = Math.max(...costByDay.map((day) => sum(kinds.map((kind) => costOf([day], kind)))));
  return (
    <>
      <p>All prices are the emulator's, in USD.</p>
      <Table class="costs" label="Costs" head={head}>
        <tbody>
          {lines.map(({ name, isDay, costOf }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {kinds.map((kind) => (
                <td key={kind} class="number" data-label={KINDS[kind].title}>
                  {usd(costOf(kind))}
                </td>
              ))}
              <td class="number" data-label="All">
                {usd(sum(kinds.map(costOf)))}
              </td>
              <td>
                {isDay && (
                  <Stack parts={kinds.map((kind) => ({ tone: TONES[kind] ?? "", amount: costOf(kind) }))} most={most} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}
