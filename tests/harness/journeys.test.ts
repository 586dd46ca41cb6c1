import { expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/checkout";
import { runOrThrow } from "../../tools/run/process";

const ROW = /^(\S.*?) +(functions|files|calls) +entered +(\d+) +(\d+) /gm;

// In a process of its own: modules that jest loads have other addresses, by which the bench tells whose a function is.
test("journeys through the code stay as long as tools/bench/journeys.ts records", async () => {
  const args = ["--import", "tsx", "tools/bench/main.ts", "journeys"];
  const printed = await runOrThrow(process.execPath, args, { cwd: checkout });
  const rows = [...printed.matchAll(ROW)].map(([, journey, measure, recorded, entered]) => ({
    row: `${journey}: ${recorded} ${measure} recorded, ${entered} entered`,
    change: Math.abs(Number(entered) / Number(recorded) - 1),
  }));
  expect(rows).toHaveLength(6 * 3);
  expect(rows.filter(({ change }) => !(change <= 0.03)).map(({ row }) => row)).toEqual([]);
});
