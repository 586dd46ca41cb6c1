/* Global volumes on pods and endpoints, on a service that shows them, hides them or does not take them. */
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { usersOfGlobalVolume } from "../../provider/resources/storage/whileInUse";
import { emulatorForAll } from "../harness/account";
import { checked, contextOf, createResource, previewAfterRefresh, up, withMessages } from "../harness/context";
import { operationsOf } from "../harness/examples";
import { endpoint, pod } from "../harness/requests";

const { emulator, service } = emulatorForAll();
let volume: string;
let regional: string;
let templateId: string;
let warnings: string[];
beforeAll(async () => {
  const { client } = contextOf(emulator);
  volume = (await client.globalVolumes.create({ name: "everywhere" })).id;
  regional = (await client.networkVolumes.create({ name: "here", size: 10, dataCenter: "EU-RO-1" })).id;
  templateId = (await client.templates.create({ name: "workers", image: "example.com/worker:1", serverless: true })).id;
});
beforeEach(() => service.settings({ globalMounts: "shown" }));

const at = (path: string) => ({ volumeId: volume, path });

function lifecycleOf(kind: string, through: "graphql" | "rest" = "graphql") {
  const { context, said } = withMessages(contextOf(emulator, { endpointsThrough: through }));
  warnings = said;
  return operationsOf(kind, async () => context);
}

const only = async (kind: "pods" | "endpoints", id: string) =>
  (await service.state())[kind].find((one) => one.id === id);

const POD = pod("p");
const QUEUE = { ...endpoint("q"), workers: { max: 1 } };

test.each(["shown", "hidden"] as const)(
  "a pod has a global volume beside a network volume: %s",
  async (globalMounts) => {
    await service.settings({ globalMounts });
    const lifecycle = lifecycleOf("pod");
    const mounts = { network: [{ volumeId: regional, path: "/workspace" }], global: [at("/workspace-global")] };
    const resource = await createResource(lifecycle, { ...POD, mounts });
    const { id, state } = resource;
    expect(await only("pods", id)).toMatchObject({ mounts });
    expect((await lifecycle.read(id, state))?.state.mounts).toEqual(mounts);
    // The path of a network volume changes in place, and the patch leaves the global one alone.
    const moved = { ...mounts, network: [{ volumeId: regional, path: "/data" }] };
    await up(lifecycle, resource, { ...POD, mounts: moved });
    expect(await only("pods", id)).toMatchObject({ mounts: moved });
    await lifecycle.delete(id, state);
  },
);

const CHAT = { name: "chat", gpuIds: "ADA_24" };

test.each([
  ["serverlessContainer", "graphql", "shown"],
  ["serverlessContainer", "graphql", "hidden"],
  ["serverlessEndpoint", "graphql", "shown"],
  ["serverlessEndpoint", "rest", "shown"],
] as const)(
  "a %s through %s gets, keeps and loses a global volume in place: %s",
  async (kind, through, globalMounts) => {
    await service.settings({ globalMounts });
    const lifecycle = lifecycleOf(kind, through);
    const [args, attached, scaled] =
      kind === "serverlessContainer"
        ? [QUEUE, { globalVolumes: [volume] }, { workers: { max: 2 } }]
        : [{ ...CHAT, templateId }, { globalVolumeId: volume }, { workersMax: 2 }];
    let resource = await createResource(lifecycle, args);
    for (const [more, globalVolumes] of [
      [attached, [volume]],
      [{ ...attached, ...scaled }, [volume]],
      [scaled, []],
    ] as const) {
      resource = await up(lifecycle, resource, { ...args, ...more });
      expect(await only("endpoints", resource.id)).toMatchObject({ globalVolumes });
      expect(await previewAfterRefresh(lifecycle, resource)).toMatchObject({ changes: false });
    }
    await lifecycle.delete(resource.id, resource.state);
  },
);

test.each(["graphql", "rest"] as const)(
  "an endpoint through %s sends nothing of global volumes where it has none, and says what to do where one is refused",
  async (through) => {
    await service.settings({ globalMounts: "refused" });
    const lifecycle = lifecycleOf("serverlessEndpoint", through);
    const args = { ...CHAT, templateId, workersMax: 2 };
    const { id, state } = await up(lifecycle, await createResource(lifecycle, { ...CHAT, templateId }), args);
    const withOne = await checked(lifecycle, { ...args, globalVolumeId: volume });
    await expect(lifecycle.update(id, state, withOne)).rejects.toThrow(/olumes|mounts/);
    expect(warnings).toEqual([expect.stringMatching(/^globalVolumeId: .* console/)]);
    await lifecycle.delete(id, state);
  },
);

test("who uses a global volume is named", async () => {
  const context = contextOf(emulator);
  const machine = await context.client.pods.create({ ...POD, mounts: { global: [{ volumeId: volume, path: "/w" }] } });
  expect(await usersOfGlobalVolume(context, volume)).toEqual([{ id: machine.id, label: `pod "p" (${machine.id})` }]);
  await expect(context.client.globalVolumes.delete(volume)).rejects.toThrow(/400.*in use/);
  await context.client.pods.delete(machine.id);
});

test.each([
  ["mounts.global", "pod", POD, () => ({ mounts: { global: [at("/g")] } })],
  ["globalVolumes", "serverlessContainer", QUEUE, () => ({ globalVolumes: [volume] })],
])(
  "a service without %s is told apart: nothing is made, and a warning says what to do",
  async (name, kind, args, more) => {
    await service.settings({ globalMounts: "refused" });
    const lifecycle = lifecycleOf(kind);
    await expect(lifecycle.create(await checked(lifecycle, { ...args, ...more() }))).rejects.toThrow(/422/);
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`^${name}: .* console`))]);
    const { id, state } = await createResource(lifecycle, args);
    await lifecycle.delete(id, state);
  },
);
