/* Which member is in which wave, and what a wave waits for. */
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { Template, Waves, type WavesArgs } from "../../sdk";
import { type Registration, recordRegistrations } from "./recordRegistrations";

type Sizes = NonNullable<WavesArgs<string, pulumi.Resource>["waves"]>;

const registered: Registration[] = [];
/** Templates that the engine is still making, by name: each has to be let go of. */
const held = new Map<string, () => void>();
let isHolding = false;

beforeAll(() => {
  pulumi.runtime.setMocks({
    newResource: async ({ name, inputs, custom = true }) => {
      if (isHolding && custom) await new Promise<void>((resolve) => held.set(name, resolve));
      return { id: `${name}-id`, state: { ...inputs, revision: 1 } };
    },
    call: ({ inputs }) => inputs,
  });
  recordRegistrations(registered);
});
beforeEach(() => {
  registered.length = 0;
  isHolding = false;
});

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `m${index + 1}`);
const nameOf = (urn: string) => urn.split("::").at(-1);

function declare(members: readonly string[], args: { waves?: Sizes; pauseAfter?: number } = {}) {
  return new Waves("models", {
    members,
    make: (name, options) => new Template(name, { image: "registry.example.com/chat:1" }, options),
    ...args,
  });
}

/** Members by the name of their wave. */
async function waves(members: readonly string[], sizes?: Sizes): Promise<Record<string, string[]>> {
  const component = declare(members, sizes && { waves: sizes });
  await Promise.all(members.map((member) => new Promise((resolve) => component.members[member]?.id.apply(resolve))));
  const templates = registered.filter((each) => members.includes(each.getName()));
  const byWave = Map.groupBy(templates, (each) => nameOf(each.getParent()) ?? "");
  return Object.fromEntries([...byWave].map(([wave, all]) => [wave, all.map((each) => each.getName())]));
}

const counts = (byWave: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(byWave).map(([wave, members]) => [wave, members.length]));

test("members are split into a canary, a tenth, a half and all, in their order", async () => {
  const byWave = await waves(numbered(40));
  expect(counts(byWave)).toEqual({ "models-wave-1": 1, "models-wave-2": 3, "models-wave-3": 16, "models-wave-4": 20 });
  expect(Object.values(byWave).flat()).toEqual(numbered(40));
});

test("members are split by shares that are rounded up; a wave that would be empty is left out, and the others keep their numbers", async () =>
  expect(await waves(["a", "b", "c"])).toEqual({
    "models-wave-1": ["a"],
    "models-wave-3": ["b"],
    "models-wave-4": ["c"],
  }));

test("members are split by numbers, of which there may be more than members", async () => {
  expect(counts(await waves(numbered(5), [2, 4, 8, "100%"]))).toEqual({
    "models-wave-1": 2,
    "models-wave-2": 2,
    "models-wave-3": 1,
  });
  expect(await waves([])).toEqual({});
});

const ODD = "are whole numbers";
const FALLING = "must not fall, as from";
test.each<{ sizes: Sizes; mistake: string }>([
  { sizes: [], mistake: ODD },
  { sizes: [1], mistake: ODD },
  { sizes: [1, "50%"], mistake: ODD },
  { sizes: [0.5, "100%"], mistake: ODD },
  { sizes: [-1, "100%"], mistake: ODD },
  { sizes: [Number.NaN, "100%"], mistake: ODD },
  { sizes: ["-10%", "100%"], mistake: ODD },
  { sizes: ["1e1%", "100%"], mistake: ODD },
  { sizes: ["50%", "10%", "100%"], mistake: FALLING },
  { sizes: [3, "50%", 1, "100%"], mistake: FALLING },
  { sizes: ["200%", "100%"], mistake: FALLING },
])("members are split and sizes $sizes are a mistake: waves $mistake", ({ sizes, mistake }) =>
  expect(() => declare(numbered(4), { waves: sizes })).toThrow(`Waves "models": waves ${mistake}`),
);

test("a wave begins when every member of the wave before it is done", async () => {
  isHolding = true;
  declare(["a", "b", "c", "d"], { waves: [1, 3, "100%"] });
  const begun = async (...names: string[]) => {
    while (!names.every((name) => held.has(name))) await new Promise((resolve) => setImmediate(resolve));
    // What could begin as well has begun by now.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    return [...held.keys()].sort();
  };
  const finish = (name: string) => held.get(name)?.();
  expect(await begun("a")).toEqual(["a"]);
  finish("a");
  expect(await begun("b", "c")).toEqual(["a", "b", "c"]);
  finish("c");
  expect(await begun("c")).toEqual(["a", "b", "c"]);
  finish("b");
  expect(await begun("d")).toEqual(["a", "b", "c", "d"]);
  finish("d");
});

test("members of the waves after a pause keep what is recorded of them", async () => {
  const { members } = declare(["a", "b", "c"], { waves: [1, 2, "100%"], pauseAfter: 1 });
  await new Promise((resolve) => members.c?.id.apply(resolve));
  const unchanged = registered
    .filter((each) => each.getIgnorechangesList().includes("*"))
    .map((each) => each.getName());
  expect(unchanged).toEqual(["models-wave-2", "b", "models-wave-3", "c"]);
});

test("a resource that was beside the waves becomes a member by an alias", async () => {
  const parent = new pulumi.ComponentResource("acme:index:Shop", "shop");
  const { members } = new Waves(
    "models",
    { members: ["a"], make: (name, options) => new Template(name, { image: "registry.example.com/chat:1" }, options) },
    { parent },
  );
  await new Promise((resolve) => members.a.id.apply(resolve));
  const aliases = registered.find((each) => each.getName() === "a")?.getAliasesList() ?? [];
  expect(aliases.map((each) => nameOf(each.getSpec()?.getParenturn() ?? ""))).toEqual(["shop"]);
});
