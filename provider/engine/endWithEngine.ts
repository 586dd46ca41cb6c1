import { connect } from "node:http2";
import { engineAddress } from "../memory/ledger";

/** When it is asked again whether the engine runs, after a connection to it has ended. */
const AGAIN_MS = 1_000;

/**
 * Ends this process soon after its engine was killed, which sends it no signal: nobody listens at the engine's address then. Another
 * parent would tell the same, but Pulumi starts the host of dynamic resources through a shell, which stays. A call under way is not
 * waited for, so its outcome is unknown.
 */
export function endWithEngine(address = engineAddress()): void {
  if (address === undefined) return;
  const session = connect(`http://${address}`);
  session.on("error", ({ code }: NodeJS.ErrnoException) => {
    // mutant engine-outlived: gone
    if (code === "ECONNREFUSED") process.exit(0);
  });
  session.once("close", () => setTimeout(endWithEngine, AGAIN_MS, address).unref());
  session.unref();
}
