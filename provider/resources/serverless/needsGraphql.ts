import { AuthenticationError } from "../../../client";
import type { Context } from "../../lifecycle/definition";
import { perRun } from "../../lifecycle/perRun";

const ASK_MS = 10_000;

/**
 * Asks GraphQL, once in a preview, whether it takes the key. Else a run would make the template of a new endpoint over REST, and
 * fail at the endpoint.
 *
 * @throws AuthenticationError; any other failure says nothing about the key
 */
export async function requireKeyOfGraphql(context: Context): Promise<void> {
  if (context.client.endpoints.through() !== "rest") await keyCheckOf(context);
}

const keyCheckOf = perRun(async ({ client }: Context) => {
  try {
    await client.endpoints.serverlessDiscount({ timeoutMs: ASK_MS });
  } catch (error) {
    if (error instanceof AuthenticationError) throw error;
  }
});

/** Messages that come within this time of each other are combined. */
const GATHER_MS = 250;

const needingOf = perRun(() => ({ reported: new Set<string>(), others: [] as string[] }));

/**
 * Reports, once in a run, which endpoints can't be declared as they are once GraphQL has ended: the first at once, because a preview
 * may end at any moment.
 */
export function reportCountries(context: Context, name: string): void {
  const { log } = context;
  const { reported, others } = needingOf(context);
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
