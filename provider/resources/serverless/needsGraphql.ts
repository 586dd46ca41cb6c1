import { AuthenticationError, type Client } from "../../../client";
import { getOrCreate } from "../../../common/getOrCreate";
import type { EngineLog } from "../../lifecycle/run";

const ASK_MS = 10_000;

const keyChecks = new WeakMap<Client, Promise<void>>();

/**
 * Asks GraphQL, once in a preview, whether it takes the key. Else a run would make the template of a new endpoint over REST, and
 * fail at the endpoint.
 *
 * @throws AuthenticationError; any other failure says nothing about the key
 */
export function requireKeyOfGraphql(client: Client): Promise<void> {
  if (client.endpoints.through() === "rest") return Promise.resolve();
  return getOrCreate(keyChecks, client, async () => {
    try {
      await client.endpoints.serverlessDiscount({ timeoutMs: ASK_MS });
    } catch (error) {
      if (error instanceof AuthenticationError) throw error;
    }
  });
}

/** Messages that come within this time of each other are combined. */
const GATHER_MS = 250;

const needing = new WeakMap<EngineLog, { readonly reported: Set<string>; readonly others: string[] }>();

/**
 * Reports, once in a run, which endpoints can't be declared as they are once GraphQL has ended: the first at once, because a preview
 * may end at any moment.
 */
export function reportCountries(log: EngineLog, name: string): void {
  const { reported, others } = getOrCreate(needing, log, () => ({ reported: new Set<string>(), others: [] }));
  if (reported.has(name)) return;
  reported.add(name);
  if (reported.size === 1) {
    log.info(
      `ServerlessEndpoint "${name}" needs GraphQL, which the service ends early in 2027: REST does not know the countries in ` +
        "its locations. List data centers there instead.",
    );
  } else if (others.push(name) === 1) {
    const report = () => {
      const names = others.splice(0);
      log.info(`${names.length} more serverless endpoints need GraphQL for their countries: ${names.join(", ")}.`);
    };
    setTimeout(report, GATHER_MS).unref();
  }
}
