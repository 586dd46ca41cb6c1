import { expect } from "@jest/globals";
import * as requests from "../../../harness/requests";
import type { Scenario, Scenarios } from "../conversation";

interface Noun {
  /** In operation ids. */
  readonly noun: string;
  /** The property of the list's answer. */
  readonly many: string;
  readonly body: (name: string) => object;
  /** How long a name may be, and the answer to a longer one. Default: 191 characters and 400. */
  readonly longest?: readonly [characters: number, refusal: 422];
  readonly patch: object;
  /** What a read shows of the patch, unless that is the patch. */
  readonly shown?: object;
  /** Whether a patch may be empty. */
  readonly takesNothing?: true;
  readonly newestFirst?: true;
  readonly hasPages?: false;
}

const RENAMED = { name: "renamed" };
const EMPTY = { takesNothing: true } as const;
const NOUNS: readonly Noun[] = [
  { noun: "Pod", many: "pods", body: requests.pod, patch: RENAMED, ...EMPTY, newestFirst: true },
  { noun: "Cluster", many: "clusters", body: requests.cluster, patch: RENAMED },
  { noun: "Endpoint", many: "endpoints", body: requests.endpoint, patch: RENAMED, ...EMPTY, newestFirst: true },
  { noun: "Template", many: "templates", body: requests.template, patch: RENAMED, ...EMPTY },
  { noun: "NetworkVolume", many: "networkVolumes", body: requests.volume, patch: { size: 60 } },
  { noun: "GlobalVolume", many: "globalVolumes", body: (name) => ({ name }), patch: RENAMED, longest: [191, 422] },
  { noun: "Tag", many: "tags", body: (key) => ({ key, value: "a" }), patch: { value: "" }, longest: [191, 422] },
  { noun: "CostCenter", many: "costCenters", body: (value) => ({ value }), patch: { value: "a" }, longest: [50, 422] },
  {
    noun: "Secret",
    many: "secrets",
    body: (name) => ({ name, value: "hush" }),
    longest: [191, 422],
    patch: { value: "new", description: "of the team" },
    shown: { description: "of the team" },
    hasPages: false,
  },
  {
    noun: "Registry",
    many: "registries",
    body: requests.registry,
    patch: { username: "somebody else", password: "another" },
    shown: {},
    hasPages: false,
  },
];

const storyOf =
  ({ noun, many, body, patch, shown = patch, ...its }: Noun): Scenario =>
  async (talk) => {
    const list = `list${many.charAt(0).toUpperCase()}${many.slice(1)}`;
    const [longest, refusal] = its.longest ?? [191, 400];
    const created: { readonly id: string }[] = [];
    for (const name of ["one", "two", "n".repeat(longest)])
      created.push(await talk.call(`create${noun}`, 201, { body: body(name) }));
    await talk.call(`create${noun}`, refusal, { body: body("n".repeat(longest + 1)) });
    // A cluster's first members are placed meanwhile.
    if (noun !== "Cluster")
      for (const each of created) expect(await talk.call(`get${noun}`, 200, { params: { id: each.id } })).toEqual(each);
    await talk.advance(1000);
    const all: typeof created = (await talk.call(list, 200))[many];
    const ids = created.map(({ id }) => id);
    expect(all.map(({ id }) => id)).toEqual(its.newestFirst ? ids.toReversed() : ids);
    if (its.hasPages !== false) {
      const first = await talk.call(list, 200, { query: { limit: "2" } });
      const { nextCursor: cursor } = first.pagination;
      const second = await talk.call(list, 200, { query: { limit: "2", cursor } });
      expect([...first[many], ...second[many]]).toEqual(all);
      expect(second.pagination).toEqual({ nextCursor: null, hasNextPage: false });
      for (const query of [{ limit: "0" }, { limit: "1001" }, { cursor: "bogus" }])
        await talk.call(list, 422, { query });
      // A cursor belongs to its list.
      await talk.call(list === "listTags" ? "listPods" : "listTags", 422, { query: { cursor } });
    }

    const params = { id: ids[0] ?? "" };
    expect(await talk.call(`update${noun}`, 200, { params, body: patch })).toMatchObject(shown);
    await talk.call(`update${noun}`, 404, { body: patch });
    if ("name" in patch) await talk.call(`update${noun}`, refusal, { params, body: { name: "n".repeat(longest + 1) } });
    if (!its.takesNothing) await talk.call(`update${noun}`, 422, { params, body: {} });
    // The contract has a 404 for registries that are gone, which the service answers with 400.
    const gone = noun === "Registry" ? 400 : 404;
    for (const id of ids) {
      await talk.call(`delete${noun}`, 204, { params: { id } });
      await talk.call(`delete${noun}`, gone, { params: { id } });
      await talk.call(`get${noun}`, 404, { params: { id } });
    }
    expect((await talk.call(list, 200))[many]).toEqual([]);
  };

/** What all nouns do alike. */
export const nouns: Scenarios = Object.fromEntries(
  NOUNS.map((noun) => [`${noun.many} are created, read, listed, changed and deleted`, storyOf(noun)]),
);
