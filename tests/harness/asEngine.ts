import { expect } from "@jest/globals";
import type { Properties } from "../../provider/lifecycle/fields/values";

/* What the engine asks of a kind, in its order. */

interface Kind {
  check(old: Properties, args: Properties): Promise<{ inputs: Properties; failures: readonly object[] }>;
  diff(id: string, state: Properties, next: Properties): Promise<{ changes: boolean; replaces: readonly string[] }>;
  create(inputs: Properties): Promise<{ id: string; state: Properties }>;
  update(id: string, state: Properties, inputs: Properties): Promise<Properties>;
}

/** What the engine keeps of a resource. */
export interface RecordedResource {
  readonly id: string;
  readonly inputs: Properties;
  readonly state: Properties;
}

export async function checked(kind: Kind, args: Properties, old: Properties = {}): Promise<Properties> {
  const { inputs, failures } = await kind.check(old, args);
  expect(failures).toEqual([]);
  return inputs;
}

export async function createResource(kind: Kind, args: Properties): Promise<RecordedResource> {
  const inputs = await checked(kind, args);
  return { inputs, ...(await kind.create(inputs)) };
}

/** What the engine does with a resource that it has: nothing where nothing differs. */
export async function up(kind: Kind, { id, ...old }: RecordedResource, args: Properties): Promise<RecordedResource> {
  const inputs = await checked(kind, args, old.inputs);
  const { changes, replaces } = await kind.diff(id, old.state, inputs);
  expect(replaces).toEqual([]);
  return { id, inputs, state: changes ? await kind.update(id, old.state, inputs) : old.state };
}
