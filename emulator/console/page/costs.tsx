import { Bars } from "./chart.js";
import type { Fleet } from "./feed.js";
import { usd } from "./format.js";
import { Table } from "./parts.js";
import type { DayCost } from "./protocol";

const TONES = ["idle", "running", "starting", "throttled"];

/** The present cost of all resources, in USD an hour. */
export function hourlyCost({ rows }: Fleet): number {
  let sum = 0;
  for (const ofKind of rows.values()) for (const { hourly } of ofKind.values()) sum += hourly;
  return sum;
}

export function CostsPage({ fleet }: { fleet: Fleet }) {
  const { costByDay } = fleet;
  const names = [...new Set(costByDay.flatMap(({ amounts }) => Object.keys(amounts)))].sort();
  const series = names.map((name, index) => ({
    name,
    tone: TONES[index % TONES.length] ?? "",
    values: costByDay.map(({ amounts }) => amounts[name] ?? 0),
  }));
  return (
    <>
      <p>
        Right now: <strong>{usd(hourlyCost(fleet))}</strong> an hour. All prices are the emulator's.
      </p>
      {costByDay.length > 0 && <Bars title="USD by day" series={series} format={usd} />}
      <Table class="costs" label="Costs by day" head={["Day", ...names, "All"]}>
        <tbody>
          {costByDay.map(({ day, amounts }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {names.map((name) => (
                <td key={name} class="number" data-label={name}>
                  {usd(amounts[name] ?? 0)}
                </td>
              ))}
              <td class="number" data-label="All">
                {usd(total(amounts))}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}

const total = (amounts: DayCost["amounts"]): number => Object.values(amounts).reduce((sum, amount) => sum + amount, 0);
