import { flushMessages } from "../cancellation";
import { endWithEngine } from "../endWithEngine";
import { listen } from "./listen";
import { pluginServer } from "./server";

/** Serves the engine until it ends or sends a signal. */
export async function serve(): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void flushMessages().then(() => process.exit(0)));
  endWithEngine();
  const say = (what: string) => console.error(`pulumi-resource-computecloud ${what}`);
  try {
    const { port } = await listen(pluginServer(), (reason) => say(`refused a connection: ${reason}`));
    // The engine reads the port from the first line of stdout, so nothing else may be printed there.
    process.stdout.write(`${port}\n`);
  } catch (error) {
    say(`can't listen: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}
