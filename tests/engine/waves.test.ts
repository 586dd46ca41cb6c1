// @long: waves of gated endpoints through a life; what a wave waits for is held in tests/sdk/waves.test.ts.
/* Gated endpoints in waves on a real engine: a failing gate, the way back, a pause, a target. */
import { expect, test } from "@jest/globals";
import type { Update } from "../../tools/run/update";
import { emulatorForAll } from "../harness/account";
import { leavesNothing, said, stackForAll } from "../harness/scenario";

const MEMBERS = ["canary", "ann", "bob", "cid", "dan"] as const;
type Member = (typeof MEMBERS)[number];
const BAD = "emulator/fail:1";
const version = (of: number) => `acme/chat:${of}`;

/** In waves of one, two and two; `alone`: the canary without waves. */
const program = (images: Partial<Record<Member, string>>, { alone = false, pauseAfter = 3 } = {}) => `
  const { GatedEndpoint, Waves } = require("pulumi-computecloud");
  const images = ${JSON.stringify(images)};
  const make = (name, options) => new GatedEndpoint(name, {
    image: images[name],
    gpu: { pools: ["AMPERE_16"] },
    scaling: { type: "QUEUE_DELAY", queueDelay: 1 },
    gate: { input: { text: "ping" }, timeout: "2m" },
    // Arguments come and go with an image.
    ...(images[name].endsWith(":1") ? { cmd: ["serve"] } : { env: { NEW: "yes" } }),
  }, options);
  if (${alone}) make("canary");
  else new Waves("chat", { members: Object.keys(images), make, waves: [1, "60%", "100%"], pauseAfter: ${pauseAfter} });
`;
/** By member. */
const each = <Value>(of: (member: Member) => Value) =>
  Object.fromEntries(MEMBERS.map((member) => [member, of(member)])) as Record<Member, Value>;
const all = (image: string) => each(() => image);

const handlers = Object.fromEntries([1, 2, 3].map((of) => [version(of), async () => of]));
const { emulator, service } = emulatorForAll({ handlers });
const stack = stackForAll(() => ({ program: program({ canary: version(1) }, { alone: true }), emulator }));

/** The image of every member's endpoint, by the ids that the state holds. */
async function served(): Promise<Record<Member, unknown>> {
  const { endpoints } = await service.state();
  const recorded = await stack.resources();
  return each((member) => {
    const endpoint = recorded.find(({ type, urn }) => /ServerlessContainer$/.test(type) && urn.endsWith(`::${member}`));
    return endpoints.find(({ id }) => id === endpoint?.id)?.image;
  });
}

/** Places in the order of steps at which the members' endpoints were done. */
const places = ({ steps }: Update, op: string): Record<Member, number> =>
  each((member) =>
    steps.findLastIndex((step) => step.op === op && step.name === member && /ServerlessContainer$/.test(step.type)),
  );

test("an endpoint that stands alone becomes the canary unchanged, and the others are made wave by wave", async () => {
  await stack.up();
  await stack.edit(program(all(version(1))));
  const preview = await stack.preview();
  expect(preview.changes.update ?? preview.changes.replace ?? preview.changes.delete).toBeUndefined();
  expect(said(preview)).toContain("wave 1: canary; wave 2: ann, bob; wave 3: cid, dan");
  const up = await stack.up();
  const { ann, bob, cid, dan } = places(up, "create");
  expect(Math.min(ann, bob)).toBeGreaterThan(-1);
  expect(Math.max(ann, bob)).toBeLessThan(up.steps.findIndex(({ name }) => /^(cid|dan)/.test(name)));
  expect(Math.min(cid, dan)).toBeGreaterThan(-1);
  expect(await served()).toEqual(all(version(1)));
});

test("a gate that fails stops the waves after it, and every member serves the new image or the old one", async () => {
  await stack.edit(program({ ...all(version(2)), ann: BAD }));
  const up = await stack.up({ fails: true });
  expect(up.failed).toMatchObject([{ op: "update", name: "ann-gate" }]);
  expect(said(up)).toMatch(/Smoke job \S+ on endpoint \w+ is FAILED: the worker ran it and reported an error/);
  const { bob, ...others } = await served();
  expect(others).toEqual({ canary: version(2), ann: version(1), cid: version(1), dan: version(1) });
  expect([version(1), version(2)]).toContain(bob);
  expect(up.steps.filter(({ name }) => /^(cid|dan)/.test(name))).toEqual([]);
});

test("the old program takes back what changed, and leaves alone what did not", async () => {
  await stack.edit(program(all(version(1))));
  const back = await stack.up();
  expect(back.steps.filter(({ op, name }) => op !== "same" && /^(cid|dan)/.test(name))).toEqual([]);
  expect(await served()).toEqual(all(version(1)));
});

test("a change pauses after a wave, reaches one member as a target, is interrupted, and goes on through all waves", async () => {
  await stack.edit(program(all(version(2)), { pauseAfter: 1 }));
  const paused = await stack.up();
  expect(places(paused, "update").canary).toBeGreaterThan(-1);
  expect(await served()).toEqual({ ...all(version(1)), canary: version(2) });

  await stack.edit(program(all(version(2))));
  await stack.up({ args: ["--target", "**::dan*"] });
  expect(await served()).toEqual({ ...all(version(1)), canary: version(2), dan: version(2) });

  // Ctrl-C while the second wave is at its gates.
  const interrupt = new AbortController();
  const onLine = (line: string) => void (line.includes("ann-gate updating") && interrupt.abort());
  await stack.up({ fails: true, signal: interrupt.signal, onLine });
  const { ann: first, bob: second, ...others } = await served();
  expect(others).toEqual({ canary: version(2), cid: version(1), dan: version(2) });
  for (const image of [first, second]) expect([version(1), version(2)]).toContain(image);

  const { canary, ann, bob, cid, dan } = places(await stack.up(), "update");
  expect([canary, dan]).toEqual([-1, -1]);
  expect(Math.max(ann, bob)).toBeLessThan(cid);
  expect(await served()).toEqual(all(version(2)));
  expect((await stack.up()).changes).toEqual({ same: 34 });

  await leavesNothing(stack, service);
});
