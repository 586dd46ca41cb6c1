import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { BadRequestError, ConflictError, PermissionError } from "../../client";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { InterruptedError } from "../../provider/lifecycle/make/wait";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import {
  usersOfRegistry,
  usersOfTemplate,
  usersOfVolume,
  whileInUse,
} from "../../provider/resources/storage/whileInUse";
import { emulatorForAll } from "../harness/account";
import { contextOf, NOWHERE, withMessages } from "../harness/context";
import * as requests from "../harness/requests";
import { until } from "../harness/until";

const context = contextOf(NOWHERE);

const nobody = async () => [];

/** Deletes that are refused so often. */
function refusing(...errors: readonly Error[]) {
  const refusals = errors.values();
  return {
    delete: async () => {
      const { value } = refusals.next();
      if (value !== undefined) throw value;
      return true;
    },
  };
}

test("what is still in use is tried again until it is free, and the run says so", async () => {
  const { context: telling, said } = withMessages(context, ["status"]);
  const remove = refusing(new BadRequestError("in use", { status: 400 }), new ConflictError("in use", { status: 409 }));
  expect(await whileInUse(telling, "Template", "t", remove, nobody)).toBe(true);
  expect(said).toEqual([
    "Template t: still in use; trying again for 180 s",
    expect.stringMatching(/^Template t: still in use; trying again for 1(80|79) s$/),
  ]);
});

test("another refusal is an error at once", async () => {
  const error = new PermissionError("not yours", { status: 403 });
  await expect(whileInUse(context, "Template", "t", refusing(error), nobody)).rejects.toBe(error);
});

test("an interrupt ends the wait", async () => {
  const signal = AbortSignal.abort();
  const remove = refusing(new BadRequestError("in use", { status: 400 }));
  await expect(whileInUse({ ...context, signal }, "Template", "t", remove, nobody)).rejects.toThrow(InterruptedError);
});

describe("when the patience is over", () => {
  const { emulator, service } = emulatorForAll({ settings: { rateLimitExempt: true } });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const pod = (use: object) => service.create("/v2/pods", { ...requests.pod("train"), ...use });

  test("the error of a template names the endpoints that use it, and the way out", async () => {
    const live = contextOf(emulator);
    const id = await service.create("/v2/templates", { ...requests.template("chat"), serverless: true });
    const endpoint = await live.client.endpoints.save(requests.savedEndpoint("chat", id));
    const deleted = whileInUse(live, "Template", id, live.client.templates, usersOfTemplate, 0);
    await expect(deleted).rejects.toThrow(
      `Template ${id} is used by endpoint "${endpoint.name}" (${endpoint.id}). Delete what uses it, or keep it: set retainOnDelete`,
    );
  });

  test("volumes name their pods and endpoints, registries their pods", async () => {
    const live = contextOf(emulator);
    const volume = await service.create("/v2/network-volumes", requests.volume("models"));
    const registry = await service.create("/v2/registries", requests.registry("images"));
    const mounts = { network: [{ volumeId: volume, path: "/workspace" }] };
    const user = await pod({ mounts, registry, dataCenterIds: ["EU-RO-1"] });
    const train = { id: user, label: `pod "train" (${user})` };
    expect(await usersOfVolume(live, volume)).toEqual([train]);
    expect(await usersOfRegistry(live, registry)).toEqual([train]);
  });

  test("clusters are named for what only their members show, and for their template", async () => {
    const live = contextOf(emulator);
    const [volume, template] = [
      await service.create("/v2/network-volumes", { ...requests.volume("ring"), dataCenter: "US-KS-2" }),
      await service.create("/v2/templates", requests.template("ring")),
    ];
    const { image, ...ring } = requests.cluster("ring");
    const mounts = { network: [{ volumeId: volume, path: "/workspace" }] };
    const mounting = await service.create("/v2/clusters", { ...ring, image, mounts });
    const templated = await service.create("/v2/clusters", { ...ring, templateId: template });
    await service.advance(60_000);
    expect(await usersOfVolume(live, volume)).toEqual([{ id: mounting, label: `cluster ${mounting}` }]);
    expect(await usersOfTemplate(live, template)).toEqual([{ id: templated, label: `cluster "ring" (${templated})` }]);
  });

  test("is long before that where a user stays, and not where this run deletes all of them", async () => {
    const real = performance.now.bind(performance);
    jest.spyOn(performance, "now").mockImplementation(() => 10 * real());
    const live = contextOf(emulator);
    const volume = await service.create("/v2/network-volumes", requests.volume("shared"));
    const mounts = { network: [{ volumeId: volume, path: "/workspace" }] };
    const user = await pod({ mounts, dataCenterIds: ["EU-RO-1"] });
    const remove = () => networkVolume.delete(live, volume, {});
    await expect(remove()).rejects.toThrow(
      `NetworkVolume ${volume} is used by pod "train" (${user}). Delete what uses it`,
    );

    live.ledger.ids.deletes(user);
    await service.forgetCalls();
    const removed = remove();
    await until(async () => (await service.count("listPods")) > 0);
    await service.rest("DELETE", `/v2/pods/${user}`);
    expect(await removed).toBe(true);
  });

  test.each([
    ["nobody is found", async () => []],
    ["nobody can be looked for", async () => Promise.reject(new Error("no connection"))],
  ])("the service's refusal is the error where %s", async (_, users) => {
    const refusal = new ConflictError("in use", { status: 409 });
    await expect(whileInUse(context, "Template", "t", refusing(refusal), users, 0)).rejects.toBe(refusal);
  });

  test("five users are named, and the others counted", async () => {
    const users = async () => [..."abcdefg"].map((label) => ({ id: label, label }));
    const refused = refusing(new ConflictError("in use", { status: 409 }));
    await expect(whileInUse(context, "Template", "t", refused, users, 0)).rejects.toThrow(
      "Template t is used by a, b, c, d, e, 2 more.",
    );
  });
});

/* What a change does to the data on a volume. */
const VOLUME = { name: "models", size: 100, dataCenter: "EU-RO-1", type: "STANDARD" };

/** What a preview of a change says. */
async function planned(change: object) {
  const { context: telling, said: warnings } = withMessages(context);
  const volumes = new Lifecycle(networkVolume, async () => telling);
  const { changes, replaces } = await volumes.diff("v", VOLUME, { ...VOLUME, ...change });
  return { changes, replaces, warnings };
}

// finds mutant volume-shrinks
test("a volume that would get smaller is refused in the preview", () =>
  expect(planned({ size: 50 })).rejects.toThrow(
    'NetworkVolume "v": size 100 -> 50: it can\'t shrink. The service only grows it, and a replacement would lose its data.',
  ));

// finds mutant data-lost-without-a-word
test.each([
  ["dataCenter", { dataCenter: "US-KS-2" }],
  ["type", { type: "HIGH_PERFORMANCE" }],
  ["dataCenter", { dataCenter: "US-KS-2", size: 50 }],
])(
  "a volume of another %s is another one; the preview says what is lost, and the way out: %j",
  async (property, change) => {
    const { replaces, warnings } = await planned(change);
    expect(replaces).toEqual([property]);
    expect(warnings).toEqual([
      expect.stringContaining(
        `NetworkVolume "v": ${property} can only change by a replacement, which deletes its data. To keep that, set`,
      ),
    ]);
  },
);
