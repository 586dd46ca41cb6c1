import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/checkout";
import { run } from "../../tools/run/process";

// jest strips types without checking them.
test("the provider, the examples and all tests are free of type errors", async () => {
  const tsc = join(checkout, "node_modules", "typescript", "bin", "tsc");
  const { exitCode, stdout } = await run(process.execPath, [tsc, "-p", "tests"], { cwd: checkout });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
});
