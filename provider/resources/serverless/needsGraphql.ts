import { AuthenticationError, type Client } from "../../../client";
import type { EngineLog } from "../../lifecycle/run";

const ASK_MS = 10_000;

const takesKey = new WeakMap<Client, Promise<void>>();

/**
 * Asks GraphQL, once in a preview, whether it takes the key. Else a run would make the template of a new endpoint over REST, and
 * fail at the endpoint.
 *
 * @throws AuthenticationError; any other failure says nothing about the key
 */
export function requireKeyOfGraphql(client: Client): Promise<void> {
  if (client.endpoints.through() === "rest") return Promise.resolve();
  const known = takesKey.get(client);
  if (known !== undefined) return known;
  const asked = client.endpoints.serverlessDiscount({ timeoutMs: ASK_MS }).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof AuthenticationError) throw error;
    },
  );
  takesKey.set(client, asked);
  return asked;
}

/** Messages that come within this time of each other are combined. */
const GATHER_MS = 250;

class Teller {
  readonly #told = new Set<string>();
  #others: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly log: EngineLog) {}

  /** Reports the first at once, because a preview may end at any moment. */
  tell(name: string): void {
    if (this.#told.has(name)) return;
    if (this.#told.size === 0) {
      this.log.info(
        `ServerlessEndpoint "${name}" needs GraphQL, which the service ends early in 2027: REST does not know the countries in ` +
          "its locations. List data centers there instead.",
      );
    } else {
      this.#others.push(name);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#tellOthers(), GATHER_MS).unref();
    }
    this.#told.add(name);
  }

  #tellOthers(): void {
    const names = this.#others.splice(0);
    this.log.info(`${names.length} more serverless endpoints need GraphQL for their countries: ${names.join(", ")}.`);
  }
}

const tellers = new WeakMap<EngineLog, Teller>();

/** Reports, once in a run, which endpoints can't be declared as they are once GraphQL has ended. */
export function tellOfCountries(log: EngineLog, name: string): void {
  const teller = tellers.get(log) ?? new Teller(log);
  tellers.set(log, teller);
  teller.tell(name);
}
