/*
 * Records what this version writes: `npm run tool tools/recordState.ts` makes tests/recorded/<version> with the stack's state and the
 * service's, from the index.js that lies there. Once released a recording is never made again: later versions have to
 * read it.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startEmulator } from "../emulator";
import { Control } from "./run/control";
import { checkout } from "./run/environment";
import { newStack } from "./run/stack";

async function main(): Promise<void> {
  const { version } = JSON.parse(await readFile(join(checkout, "package.json"), "utf8")) as { version: string };
  const folder = join(checkout, "tests/recorded", version);
  const emulator = await startEmulator();
  try {
    const program = await readFile(join(folder, "index.js"), "utf8");
    await using stack = await newStack({ program, emulator, asUsers: true });
    await stack.up();
    const state = JSON.parse(await stack.pulumi(["stack", "export", "--show-secrets"])) as Export;
    // Where the program lay is of no interest, and differs from machine to machine.
    for (const resource of state.deployment.resources) {
      delete resource.sourcePosition;
      delete resource.stackTrace;
    }
    await writeFile(join(folder, "stack.recorded.json"), `${JSON.stringify(state, null, 2)}\n`);
    const service = await new Control(emulator).state();
    await writeFile(join(folder, "service.recorded.json"), `${JSON.stringify(service, null, 2)}\n`);
  } finally {
    await emulator.stop();
  }
}

interface Export {
  deployment: { resources: Record<string, unknown>[] };
}

void main();
