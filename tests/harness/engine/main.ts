import { parseArgs } from "node:util";
import { EngineUnavailableError, getEngine } from "./engine";

const { values } = parseArgs({ options: { print: { type: "boolean", default: false } } });

getEngine({ report: (line) => process.stderr.write(`${line}\n`) }).then(
  ({ folder, from }) => {
    process.stderr.write(`Pulumi engine: ${from}\n`);
    process.stdout.write(values.print ? `${folder}\n` : `export PATH="${folder}:$PATH"\n`);
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof EngineUnavailableError ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
