import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { textTable } from "../../common/table";
import { getEngine } from "../engine/engine";
import { checkout, scratch, stackEnv } from "../run/environment";
import { InterruptedError, interruption } from "../run/process";
import { PulumiCommandError, Stack } from "../run/stack";
import { EmulatorProcess } from "./emulator";
import { runFleet } from "./fleet";

const USAGE = `npm start -- [--keep]

Takes the fleet example from nothing to running and back, against the emulator.
  --keep  leaves emulator and stack running, and prints how to go on by hand`;

const { version } = require("pulumi-computecloud/package.json") as { version: string };

const print = (line: string) => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      keep: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
      version: { type: "boolean" },
    },
  });
  if (values.help || values.version) return print(values.help ? USAGE : version);
  const signal = interruption();
  const engine = await getEngine({ report: print, signal });
  print(`Pulumi engine: ${engine.from}`);

  await mkdir(scratch, { recursive: true });
  const folder = await mkdtemp(join(scratch, "run-"));
  const name = `fleet-${randomBytes(3).toString("hex")}`;
  const config = join(checkout, `Pulumi.${name}.yaml`);
  const emulator = await EmulatorProcess.start(join(checkout, "dist", "emulator", "main.js"), folder);
  const stack = new Stack({
    folder,
    project: checkout,
    name,
    env: stackEnv({ engineFolder: engine.folder, folder, emulator: emulator.addresses }),
  });
  let isLeftRunning = false;
  try {
    await stack.init();
    const rows = await runFleet({ stack, emulator, keep: values.keep, print, signal });
    print(`\n${textTable(rows, [2, 3], "")}`);
    isLeftRunning = values.keep;
    if (isLeftRunning) print(byHand(stack, emulator, config));
  } finally {
    if (!isLeftRunning) {
      await emulator.stop();
      await stack.remove();
      await rm(config, { force: true });
    }
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`\n${reason(error)}\n`);
  process.exitCode = error instanceof InterruptedError ? 130 : 1;
});

function reason(error: unknown): string {
  // Its output has been shown as it came.
  if (error instanceof PulumiCommandError) return `pulumi ${error.command} ended with exit code ${error.exitCode}`;
  return error instanceof Error ? error.message : String(error);
}

const EXPORTED = /^(PATH|PULUMI_(HOME|BACKEND_URL|CONFIG_PASSPHRASE|SKIP_UPDATE_CHECK|STACK)|COMPUTECLOUD_\w+)$/;

/** What to type to go on with a kept stack, and to end it. */
export function byHand(stack: Stack, emulator: EmulatorProcess, config: string): string {
  const inherited = process.env.PATH ?? "";
  const exports = Object.entries(stack.env)
    .filter(([name]) => EXPORTED.test(name))
    .map(([name, value = ""]) => `export ${name}="${name === "PATH" ? value.replace(inherited, "$PATH") : value}"`);
  return [
    "",
    `Console: ${emulator.addresses.consoleUrl}`,
    "",
    "The emulator and the stack are left running. To go on by hand, in this folder:",
    "",
    ...exports,
    `export COMPUTECLOUD_CONTROL_URL="${emulator.addresses.controlUrl}"`,
    "pulumi stack",
    "",
    "To end it:",
    "",
    `pulumi destroy --yes; kill ${emulator.pid}; rm -r ${[stack.folder, config].map((path) => relative(checkout, path)).join(" ")}`,
  ].join("\n");
}
