import { getOrCreate } from "../../common/getOrCreate";
import type { Connect, Operations } from "../../provider/engine/hostedOperations";
import { kinds } from "../../provider/engine/kinds";
import { FromConfig, FromResource } from "../../provider/lifecycle/fields/example";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { definitions } from "../../provider/resources";
import { createResource, type RecordedResource } from "./context";

function of<Value>(table: Readonly<Record<string, Value>>, kind: string): Value {
  const value = table[kind];
  if (value === undefined) throw new Error(`${kind} is not a kind`);
  return value;
}

/** A kind's operations, by the name of its export. */
export const operationsOf = (kind: string, connect: Connect): Operations =>
  of<(connect: Connect) => Operations>(kinds, kind)(connect);

/** Makes the examples of kinds as the engine does, with all that comes from others, which are made once. */
export function examplesBy(operations: (kind: string, apiKey?: string) => Operations) {
  const others = new Map<string, Promise<Properties>>();
  async function make(kind: string, index = 0, apiKey?: string): Promise<RecordedResource & { lifecycle: Operations }> {
    const lifecycle = operations(kind, apiKey);
    const definition = of<(typeof definitions)[keyof typeof definitions]>(definitions, kind);
    const example = definition.examples[index];
    if (example === undefined) throw new Error(`${definition.kind} has no example ${index}`);
    const { args } = (await resolved({ args: example.args })) as { args: Properties };
    const declared = "name" in definition.inputs.shape ? { __logicalName: example.name, ...args } : args;
    return { lifecycle, ...(await createResource(lifecycle, declared)) };
  }
  async function resolved(value: unknown): Promise<unknown> {
    if (value instanceof FromConfig) return value.trial;
    if (value instanceof FromResource) return (await outputsOf(value.kind, value.example))[value.output];
    if (Array.isArray(value)) return Promise.all(value.map(resolved));
    if (value === null || typeof value !== "object") return value;
    const members = Object.entries(value).map(async ([key, member]) => [key, await resolved(member)] as const);
    return Object.fromEntries(await Promise.all(members));
  }
  const outputsOf = (kind: string, example: number): Promise<Properties> =>
    getOrCreate(others, `${kind} ${example}`, () => make(kind, example).then(({ id, state }) => ({ ...state, id })));
  return make;
}
