/* What creates and updates send, exactly: all that is declared, with its defaults; then what has changed, and nothing else. */
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { kinds } from "../../provider/engine/kinds";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { PartlyMadeError } from "../../provider/lifecycle/state/partlyMade";
import { checked, contextOf, previewAfterRefresh, up, withMessages } from "../harness/context";
import { placeForAll } from "../harness/place";
import { type Recorder, startRecorder } from "../harness/recorder";
import { errorOf } from "../harness/until";

type Kind = keyof typeof kinds;

const TRAINER = {
  name: "trainer",
  image: "example.com/train:1",
  gpu: { id: "NVIDIA L4" },
  dataCenterIds: ["US-KS-2"],
  disk: 30,
  ports: ["8888/http", "22/tcp"],
  env: { MODE: "a", TOKEN: "hunter2" },
  mounts: { persistent: { size: 20, path: "/data" } },
  startJupyter: true,
};
const TRAINING = {
  name: "training",
  type: "TRAINING",
  compute: { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 },
  image: "example.com/train:1",
  ports: ["22/tcp"],
  env: { TOKEN: "hunter2" },
  dataCenterIds: ["US-KS-2", "US-TX-3"],
};
const CHAT = {
  name: "chat",
  type: "QUEUE",
  image: "example.com/chat:1",
  gpu: { pools: ["AMPERE_16", "AMPERE_24"], excludedTypes: ["NVIDIA RTX A4500"], minCudaVersion: "12.4" },
  scaling: { type: "QUEUE_DELAY", queueDelay: 2 },
  env: { MODE: "a" },
};
const WEB = {
  name: "web",
  type: "LOAD_BALANCER",
  image: "example.com/web:1",
  cpu: [4, 2].map((vcpuCount) => ({ id: "cpu3c", vcpuCount })),
  scaling: { type: "REQUEST_COUNT", requestCount: 4 },
  ports: ["80/http"],
};
const CONTAINER = { args: "", dataCenterIds: [], networkVolumes: [], timeout: 300_000, flashboot: "OFF" };
const WORKERS = { min: 0, max: 3, idleTimeout: 10 };
const arn = (repository: string) => `arn:aws:ecr:us-east-2:418399314813:repository/${repository}`;
const MODELS = { resource: arn("team/models"), name: "models" };

const place = placeForAll();
const clock = place.sharedClock();
let recorder: Recorder;
let volume: string;
let templates: string[];
beforeAll(async () => {
  recorder = await startRecorder(place.emulator.baseUrl);
  await place.service.settings({ balance: 100_000, spendLimit: 100_000 });
  volume = await place.service.create("/v2/network-volumes", { name: "v", size: 10, dataCenter: "US-KS-2" });
  const template = (name: string) => ({ name, image: `example.com/${name}:1`, serverless: true, env: { FROM: name } });
  templates = await Promise.all(["one", "two"].map((name) => place.service.create("/v2/templates", template(name))));
});
afterEach(() => place.service.clearFaults());
afterAll(async () => recorder[Symbol.asyncDispose]());

/** `$volume`, `$one` and `$two` are ids of what the service has. */
const withIds = (args: object): Properties =>
  JSON.parse(
    JSON.stringify(args)
      .replaceAll("$volume", volume)
      .replace(/\$(one|two)/g, (_, name) => String(templates[name === "one" ? 0 : 1])),
  );

function newRun(kind: Kind) {
  const { context, said } = withMessages(contextOf({ ...place.emulator, baseUrl: recorder.baseUrl }, { clock }));
  const run = kinds[kind](async () => context);
  return { run, said, checked: (args: object) => checked(run, withIds(args)) };
}

async function create(kind: Kind, args: object) {
  const { run, checked, ...rest } = newRun(kind);
  const inputs = await checked(args);
  recorder.take();
  return { run, checked, ...rest, inputs, ...(await run.create(inputs)), writes: recorder.take() };
}

test.each<[Kind, object, object, object]>([
  [
    "pod",
    TRAINER,
    { ...TRAINER, args: "", gpu: { ...TRAINER.gpu, count: 1 }, cloud: "SECURE", globalNetworking: false },
    {
      gpuTypeId: "NVIDIA L4",
      dataCenterId: "US-KS-2",
      memory: expect.any(Number),
      vcpuCount: expect.any(Number),
      ssh: { proxy: expect.stringMatching(/^ssh /), direct: expect.stringMatching(/^ssh root@/) },
      publicPorts: [{ port: 22, protocol: "tcp", address: expect.stringMatching(/^[\d.]+:\d+$/) }],
      costPerHour: 0.39,
    },
  ],
  [
    "cluster",
    TRAINING,
    { ...TRAINING, args: "", dataCenterIds: ["US-KS-2"], startSsh: false, startJupyter: false },
    {
      gpuTypeId: TRAINING.compute.gpuTypeId,
      dataCenterId: "US-KS-2",
      network: { cidr: expect.stringMatching(/^10\./), vxlanId: expect.any(Number), vxlanPort: 4789 },
      primary: { sshEndpoint: expect.stringMatching(/:\d+$/) },
      podIds: [expect.any(String), expect.any(String)],
      costPerHour: expect.any(Number),
    },
  ],
  [
    "serverlessContainer",
    CHAT,
    { ...CHAT, ...CONTAINER, ports: [], gpu: { ...CHAT.gpu, count: 1, allowedCudaVersions: [] }, workers: WORKERS },
    { requestUrls: { run: expect.stringMatching(/\/v2\/\w+\/run$/) }, disk: 20, revision: 1 },
  ],
  [
    "serverlessContainer",
    WEB,
    { ...WEB, ...CONTAINER, env: {}, workers: WORKERS },
    { requestUrls: { health: expect.any(String) } },
  ],
  ["ecrDelegation", MODELS, MODELS, { repository: "team/models", tag: "latest", awsRegion: "us-east-2" }],
])("a create of a %s sends every default, and shows what the service has chosen", async (kind, args, body, outputs) => {
  const { state, writes } = await create(kind, args);
  expect(writes.map(({ body }) => body)).toEqual([body]);
  expect(state).toMatchObject(outputs);
});

test("a create of a cluster tries the GPU types that may stand in, in order", async () => {
  await place.fault({ times: 1_000 }, { capacity: { gpuTypeId: "NVIDIA H200" } });
  const compute = { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 1, podCount: 2 };
  const args = { ...TRAINING, name: "ray", type: "RAY", dataCenterIds: [], compute, gpuAlternatives: ["NVIDIA L4"] };
  const { state, writes } = await create("cluster", args);
  const gpuTypeIds = writes.map(({ body }) => (body as { compute: { gpuTypeId: string } }).compute.gpuTypeId);
  expect(gpuTypeIds).toEqual(["NVIDIA H200", "NVIDIA L4"]);
  expect(state).toMatchObject({ gpuTypeId: "NVIDIA L4" });
});

const mounts = { persistent: { size: 40, path: "/data" } };
const CHANGED = { name: "renamed", image: "example.com/train:2", ports: ["22/tcp"], mounts };
const cuda = ["12.8", "12.6"];
const onVolume = (path: string) => ({ mounts: { network: [{ volumeId: "$volume", path }] }, dataCenterIds: [] });
/** A patch without them would drop them. */
const exclusions = { gpu: { pools: CHAT.gpu.pools, excludedTypes: CHAT.gpu.excludedTypes } };
const byTemplate = (templateId: string, more: object = {}) => ({ templateId, env: { A: "1" }, ...more });
const cpus = (...counts: number[]) => ({ cpu: counts.map((vcpuCount) => ({ id: "cpu5c", vcpuCount })) });

test.each<[string, Kind, object, object, object]>([
  [
    "what has changed, and keeps variables that the service injected",
    "pod",
    TRAINER,
    { ...CHANGED, env: { MODE: "b" } },
    { ...CHANGED, env: { MODE: "b", JUPYTER_PASSWORD: expect.any(String) } },
  ],
  ["a volume's new path", "pod", { ...TRAINER, ...onVolume("/a") }, onVolume("/b"), { mounts: onVolume("/b").mounts }],
  ["a stop", "pod", TRAINER, { desiredStatus: "EXITED" }, { action: "stop" }],
  ["a lock", "pod", TRAINER, { locked: true }, { locked: true }],
  ["a name", "cluster", TRAINING, { name: "renamed" }, { name: "renamed" }],
  ["a number, with exclusions", "serverlessContainer", CHAT, { timeout: 1_000 }, { timeout: 1_000, ...exclusions }],
  [
    "the minimum of workers, with the maximum that the service has",
    "serverlessContainer",
    CHAT,
    { workers: { min: 1 } },
    { workers: { ...WORKERS, min: 1 }, ...exclusions },
  ],
  [
    "another way to scale, with the idle timeout that comes with it",
    "serverlessContainer",
    { ...CHAT, scaling: { type: "REQUEST_COUNT", requestCount: 2 } },
    { scaling: CHAT.scaling },
    { scaling: CHAT.scaling, workers: WORKERS, ...exclusions },
  ],
  [
    "a CUDA floor in place of a set",
    "serverlessContainer",
    { ...CHAT, gpu: { pools: ["AMPERE_24"], allowedCudaVersions: ["12.8"] } },
    { gpu: { pools: ["AMPERE_24"], minCudaVersion: "12.4" } },
    { gpu: { pools: ["AMPERE_24"], excludedTypes: [], count: 1, allowedCudaVersions: [], minCudaVersion: "12.4" } },
  ],
  [
    "a CUDA set in place of a floor, and no exclusions any more",
    "serverlessContainer",
    CHAT,
    { gpu: { pools: ["AMPERE_24"], allowedCudaVersions: cuda } },
    { gpu: { pools: ["AMPERE_24"], excludedTypes: [], count: 1, allowedCudaVersions: cuda, minCudaVersion: "" } },
  ],
  [
    "CPUs as a whole list, and a server's port without that of its health, which follows it",
    "serverlessContainer",
    WEB,
    { ...cpus(4, 2), env: { PORT: "5000" } },
    { ...cpus(4, 2), env: { PORT: "5000" } },
  ],
  [
    "the default of what is declared no more",
    "serverlessContainer",
    { ...WEB, flashboot: "FLASHBOOT", workers: { max: 5 } },
    { flashboot: undefined, workers: undefined },
    { flashboot: "OFF", workers: WORKERS },
  ],
  [
    "another template, together with all that is declared",
    "serverlessContainer",
    { ...CHAT, ...byTemplate("$one") },
    byTemplate("$two"),
    { ...byTemplate("$two"), image: CHAT.image, gpu: { ...CHAT.gpu, count: 1 } },
  ],
  [
    "a template again, whose revision is another",
    "serverlessContainer",
    { ...WEB, ...byTemplate("$one", { templateRevision: 1 }) },
    byTemplate("$one", { templateRevision: 2 }),
    expect.objectContaining({ templateId: "$one", image: WEB.image }),
  ],
])("an update sends %s, of a %s", async (_, kind, args, change, body) => {
  const { run, ...created } = await create(kind, args);
  const updated = await up(run, created, withIds({ ...args, ...change }));
  const writes = recorder.take();
  expect(writes.map(({ call }) => call.split(" ")[0])).toEqual(["action" in body ? "POST" : "PATCH"]);
  expect(writes[0]?.call).toContain(created.id);
  const sent = JSON.stringify(writes[0]?.body).replaceAll(volume, "$volume");
  const named = templates.reduce((text, each, at) => text.replaceAll(each, at === 0 ? "$one" : "$two"), sent);
  expect(JSON.parse(named)).toEqual(body);
  expect(await previewAfterRefresh(run, updated)).toMatchObject({ changes: false });
});

const HOUR = 3_600_000;
test.each<[Kind, object, string]>([
  ["pod", TRAINER, "did not become RUNNING within createTimeout (1s). It exists, is billed and stays in the state"],
  ["cluster", TRAINING, "did not run within createTimeout (1s)"],
  [
    "serverlessContainer",
    { ...CHAT, workers: { min: 1 }, awaitWorkers: true },
    "does not have 1 workers ready within createTimeout (1s) (1 initializing)",
  ],
])("a %s that is not ready in time is recorded, and waited for by the next run", async (kind, args, message) => {
  await place.service.settings({ podBootMs: HOUR, workerColdStartMs: HOUR });
  const { run, checked } = newRun(kind);
  const inputs = await checked({ ...args, createTimeout: "1s" });
  const { id, properties, reasons } = await errorOf(run.create(inputs), PartlyMadeError);
  expect(reasons).toEqual([expect.stringContaining(message)]);
  await place.service.settings({ podBootMs: 0, workerColdStartMs: 0 });
  await clock.sleep(HOUR);
  expect(await run.diff(id, properties, inputs)).toMatchObject({ changes: true });
  recorder.take();
  const state = await run.update(id, properties, inputs);
  expect(recorder.take()).toEqual([]);
  expect(await run.diff(id, state, inputs)).toMatchObject({ changes: false });
});

const broken = "example.com/train:does-not-exist";

test("a cluster whose member fails is recorded at once, with the last lines of its log", async () => {
  const { run, checked } = newRun("cluster");
  const { reasons } = await errorOf(run.create(await checked({ ...TRAINING, image: broken })), PartlyMadeError);
  expect(reasons.join()).toMatch(/has pods that are ERROR and will not run\. Last log lines:\n {2}\S/);
});

test("a pod that failed, with the last lines of its log, is started again by the update that removes the cause", async () => {
  const { run, checked } = newRun("pod");
  const failed = await errorOf(run.create(await checked({ ...TRAINER, image: broken })), PartlyMadeError);
  expect(failed.message).toMatch(/is ERROR and will not become RUNNING\. Last log lines:\n {2}\S/);
  const { id, properties } = failed;
  recorder.take();
  await run.update(id, properties, await checked(TRAINER));
  expect(recorder.take()).toEqual([
    { call: `PATCH /v2/pods/${id}`, body: { image: TRAINER.image } },
    { call: `POST /v2/pods/${id}/action`, body: { action: "start" } },
  ]);
});

test("a locked pod is reset only once it is unlocked, and the preview warns of that", async () => {
  const { run, id, state, checked, said } = await create("pod", { ...TRAINER, locked: true });
  const moved = { ...TRAINER, image: "example.com/train:2" };
  await run.diff(id, state, await checked({ ...moved, locked: true }));
  expect(said.join()).toContain("it is locked, and a change of image resets its container");
  await expect(run.update(id, state, await checked({ ...moved, locked: true }))).rejects.toThrow("pod is locked");
  recorder.take();
  await run.update(id, state, await checked(moved));
  expect(recorder.take()).toEqual(
    [{ locked: false }, { image: moved.image }].map((body) => ({ call: `PATCH /v2/pods/${id}`, body })),
  );
});

test("a delegation of what is no repository, is closed to the service, or is another one's, is refused", async () => {
  const { run, checked } = newRun("ecrDelegation");
  const failures = async (args: object) => (await run.check({}, { name: "x", ...args })).failures;
  const [partition, digest] = ["arn:aws-cn:ecr:cn-north-1:418399314813:repository/team", `@sha256:${"0".repeat(64)}`];
  for (const resource of [
    "team/models",
    partition,
    ...[":1.4", digest, "/Models", "/"].map((end) => arn("team") + end),
  ]) {
    expect(await failures({ resource })).toMatchObject([
      { property: "resource", reason: expect.stringContaining("must be the ARN of an ECR repository") },
    ]);
    await expect(place.service.create("/v2/registries/delegations", { resource, name: "x" })).rejects.toThrow();
  }
  expect(await failures({ resource: arn("team-1/a.b/c_d") })).toEqual([]);
  const closed = run.create(await checked({ name: "x", resource: arn("no-pull-permission") }));
  await expect(closed).rejects.toThrow("does not allow the service to pull");
  const adoptId = await place.service.create("/v2/registries/delegations", { resource: arn("team/mine"), name: "x" });
  expect(await failures({ resource: arn("team/other"), adoptId })).toMatchObject([
    { property: "adoptId", reason: expect.stringContaining("resource (secret)") },
  ]);
  expect(await failures({ resource: arn("team/mine"), adoptId })).toEqual([]);
});

// finds mutant keys-of-others-removed
test("an update of the SSH keys leaves those of others, unless its preview shows that they go", async () => {
  const [mine, second, theirs] = ["mine", "second", "theirs"].map((name) => `ssh-ed25519 AAAA ${name}`);
  const { run, checked, id, state } = await create("sshKeys", { keys: [mine] });
  await place.service.rest("PUT", "/v2/account/ssh-keys", { keys: [mine, theirs] });
  const next = await checked({ keys: [mine, second] });
  await expect(run.update(id, state, next)).rejects.toThrow(
    /other keys \(theirs\).* List them too, or run `pulumi refresh`/,
  );
  await run.update(id, state, await checked({ keys: [theirs, mine] }));
  await run.update(id, (await run.read(id, state))?.state ?? {}, next);
  expect((await place.service.state()).sshKeys.map(({ key }) => key)).toEqual([mine, second]);
});
