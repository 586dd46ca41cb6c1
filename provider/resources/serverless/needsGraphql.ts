import type { EngineLog } from "../../lifecycle/run";

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
