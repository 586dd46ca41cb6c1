import { parseArgs } from "node:util";
import { interruption } from "../run/process";
import { getEngine } from "./engine";

const { values } = parseArgs({ options: { print: { type: "boolean", default: false } } });

getEngine({ signal: interruption(), report: (line) => process.stderr.write(`${line}\n`) }).then(
  ({ folder, from }) => {
    process.stderr.write(`Pulumi engine: ${from}\n`);
    process.stdout.write(values.print ? `${folder}\n` : `export PATH="${folder}:$PATH"\n`);
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
