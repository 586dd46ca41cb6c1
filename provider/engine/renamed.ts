import type { CheckFailure } from "../lifecycle/definition";
import type { Autonaming } from "../lifecycle/namedCreates";
import { hasOldNames, type OldName, withNewNames } from "../lifecycle/newNames";
import type { Planned } from "../lifecycle/plan";
import type { Reading } from "../lifecycle/readings";
import type { Properties } from "../lifecycle/values";
import type { Checked, Connect, Operations } from "./operations";

/** A kind's operations that also accept renamed arguments under their old names. */
export function takingOldNames(operations: Operations, connect: Connect): Operations {
  return hasOldNames(operations.definition.inputs) ? new RenamedOperations(operations, connect) : operations;
}

/** States and programs from before a renaming keep working: states without a difference, programs with a warning. */
class RenamedOperations implements Operations {
  readonly definition: Operations["definition"];

  constructor(
    private readonly operations: Operations,
    private readonly connect: Connect,
  ) {
    this.definition = operations.definition;
  }

  async check(old: Properties, given: Properties, autonaming?: Autonaming, imported?: string): Promise<Checked> {
    const names: OldName[] = [];
    const renamed = this.#renamed(given, (name) => names.push(name));
    const failures = names.filter(({ isTwice }) => isTwice).map(givenTwice);
    if (failures.length > 0) return { inputs: given, failures };
    const checked = await this.operations.check(this.#renamed(old), renamed, autonaming, imported);
    const { log } = await this.connect();
    for (const { old, now } of names)
      log.warn(
        `${this.definition.kind}: the argument ${old} is called ${now} now. A later version removes the old name.`,
      );
    return checked;
  }

  diff(id: string, old: Properties, next: Properties): Promise<Planned> {
    return this.operations.diff(id, this.#renamed(old), this.#renamed(next));
  }

  create(given: Properties): ReturnType<Operations["create"]> {
    return this.operations.create(this.#renamed(given));
  }

  read(id: string, old: Properties): Promise<Reading | undefined> {
    return this.operations.read(id, this.#renamed(old));
  }

  readById(id: string): Promise<Reading | undefined> {
    return this.operations.readById(id);
  }

  update(id: string, old: Properties, given: Properties): Promise<Properties> {
    return this.operations.update(id, this.#renamed(old), this.#renamed(given));
  }

  preview(old: Properties | undefined, given: Properties): Properties {
    return this.operations.preview(old && this.#renamed(old), this.#renamed(given));
  }

  delete(id: string, state: Properties): Promise<void> {
    return this.operations.delete(id, this.#renamed(state));
  }

  list(): ReturnType<Operations["list"]> {
    return this.operations.list();
  }

  #renamed(properties: Properties, found?: (name: OldName) => void): Properties {
    const names = new Map<unknown, string>();
    const renamed = withNewNames(this.definition.inputs, properties, (name) => {
      names.set(name.old, name.now);
      found?.(name);
    });
    const { __secrets: secrets } = renamed;
    if (!Array.isArray(secrets)) return renamed;
    return { ...renamed, __secrets: secrets.map((secret: unknown) => names.get(secret) ?? secret) };
  }
}

function givenTwice({ old, now }: OldName): CheckFailure {
  return { property: old, reason: `is the old name of ${now}: give only ${now}` };
}
