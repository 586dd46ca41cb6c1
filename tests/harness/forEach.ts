import { afterEach, beforeEach } from "@jest/globals";
import type { Script } from "./script";

/* What each test of a file has anew, or each of a `describe`. */

/** A scripted server: it listens on another port in each test, and has forgotten the one before. */
export function serverForEach<Server extends Script>(server: Server): Server {
  beforeEach(() => server.listen());
  afterEach(() => server.close());
  return server;
}
