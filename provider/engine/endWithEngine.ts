import { connect } from "node:http2";
import { engineAddress } from "../memory/ledger";

/** A run that is over by then needs no connection, which would cost 4 ms of its start. */
const LATER_MS = 1_000;

/**
 * Ends this process soon after its engine was killed, which sends it no signal: nobody listens at the engine's address then. Another
 * parent would tell the same, but Pulumi starts the host of dynamic resources through a shell, which stays. A call under way is not
 * waited for, so its outcome is unknown.
 */
export function endWithEngine(address = engineAddress()): void {
  if (address !== undefined) setTimeout(watch, LATER_MS, address).unref();
}

function watch(address: string): void {
  const session = connect(`http://${address}`);
  session.on("error", ({ code }: NodeJS.ErrnoException) => {
    // mutant engine-outlived: gone
    if (code === "ECONNREFUSED") process.exit(0);
  });
  session.once("close", () => endWithEngine(address));
  session.unref();
}
