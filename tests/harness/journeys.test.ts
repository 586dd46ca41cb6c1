import { expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/environment";
import { runOrThrow } from "../../tools/run/process";

// In a process of its own: modules that jest loads have other addresses, by which the bench tells whose a function is.
test("journeys through the code stay as long as tools/bench/journeys.ts records", async () => {
  const args = ["--import", "tsx", "tools/bench/main.ts", "journeys"];
  const printed = await runOrThrow(process.execPath, args, { cwd: checkout });
  const rows = [...printed.matchAll(/^\S.* (?:functions|files|calls) +entered +(\d+) +(\d+) /gm)];
  expect(rows).toHaveLength(6 * 3);
  const changed = rows.filter(([, recorded, entered]) => !(Math.abs(Number(entered) / Number(recorded) - 1) <= 0.03));
  expect(changed.map(([row]) => row)).toEqual([]);
});
