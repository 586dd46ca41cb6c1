/* The service may say more of a thing than was declared, or less. */
import { afterEach, expect, test } from "@jest/globals";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { definitions } from "../../provider/resources";
import { contextOf, createResource, withMessages } from "../harness/context";
import { placeForAll } from "../harness/place";
import { startProxy } from "../verify/proxy";

const filledIn = { ports: ["8888/http", "22/tcp"], args: "start.sh", env: { JUPYTER_PASSWORD: "made-up" } };

const place = placeForAll();
afterEach(() => place.reset());

const { template, pod, serverlessContainer } = definitions;

const kinds = {
  Template: {
    start: () => new Lifecycle(template, async () => contextOf(place.emulator)),
    path: "/v2/templates",
    declared: { name: "t", image: "busybox" },
  },
  Pod: {
    start: () => new Lifecycle(pod, async () => contextOf(place.emulator)),
    path: "/v2/pods",
    declared: { name: "p", image: "busybox", cpu: { id: "cpu3c", vcpuCount: 2 } },
  },
  ServerlessContainer: {
    start: () => new Lifecycle(serverlessContainer, async () => contextOf(place.emulator)),
    path: "/v2/serverless",
    declared: {
      name: "e",
      type: "QUEUE",
      image: "busybox",
      gpu: { pools: ["AMPERE_16"] },
      workers: { max: 0 },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    },
  },
};

test.each(Object.entries(kinds))(
  "what the service fills in on a %s stays, and is no difference after a refresh",
  async (_, { start, path, declared }) => {
    await place.service.settings({ filledIn });
    const lifecycle = start();
    const checked = await lifecycle.check({}, declared);
    expect(checked.failures).toEqual([]);
    const { id, state } = await lifecycle.create(checked.inputs);
    expect(await place.service.rest("GET", `${path}/${id}`)).toMatchObject(filledIn);

    const read = await lifecycle.read(id, state);
    const again = await lifecycle.check(read?.inputs ?? {}, declared);
    expect((await lifecycle.diff(id, read?.state ?? {}, again.inputs)).changes).toBe(false);

    // What was declared, and is no longer, goes.
    const withPorts = await lifecycle.check(again.inputs, { ...declared, ports: ["80/http"] });
    const updated = await lifecycle.update(id, read?.state ?? {}, withPorts.inputs);
    expect((await lifecycle.diff(id, updated, again.inputs)).changes).toBe(true);
    await lifecycle.update(id, updated, again.inputs);
    expect(await place.service.rest("GET", `${path}/${id}`)).toMatchObject({ ports: filledIn.ports });
    await place.service.settings({ filledIn: {} });
    expect(await place.service.rest("GET", `${path}/${id}`)).toMatchObject({ ports: [] });
  },
);

test("a create that is answered with an id alone is read once more, and is not gone while the service does not show it", async () => {
  await using proxy = await startProxy(place.emulator, () => async (call, forward) => {
    const reply = await forward(call);
    return call.method === "POST" ? { ...reply, body: { id: reply.body.id } } : reply;
  });
  const lifecycle = new Lifecycle(pod, async () => contextOf(proxy));
  const { id, state } = await createResource(lifecycle, kinds.Pod.declared);
  expect(await place.service.rest("GET", `/v2/pods/${id}`)).toMatchObject({ disk: state.disk });
  await place.service.settings({ readLagMs: 60_000, listLagMs: 60_000 });
  const late = await createResource(lifecycle, { ...kinds.Pod.declared, awaitRunning: false });
  expect((await lifecycle.read(late.id, late.state))?.state).toEqual(late.state);
  await place.service.settings({ readLagMs: 0, listLagMs: 0 });
});

test.each([["type"], ["type", "requestUrls"]])(
  "a load balancer is still one where REST leaves out its %s %s",
  async (...out) => {
    await using proxy = await startProxy(place.emulator, () => async (call, forward) => {
      const { body, ...reply } = await forward(call);
      return {
        ...reply,
        body: JSON.parse(JSON.stringify(body), (key, value) => (out.includes(key) ? undefined : value)),
      };
    });
    const scaling = { type: "REQUEST_COUNT", requestCount: 4 };
    const declared = { ...kinds.ServerlessContainer.declared, type: "LOAD_BALANCER", scaling };
    const { id, state } = await createResource(kinds.ServerlessContainer.start(), declared);
    const read = await new Lifecycle(serverlessContainer, async () => contextOf(proxy)).read(id, state);
    expect(read?.state.type).toBe("LOAD_BALANCER");
  },
);

test("ports that only a template shows are copied once, then reported once as what a save does not change, and are no drift", async () => {
  const shownBy = { name: "t", image: "busybox", disk: 5, serverless: true };
  const created = (await place.service.rest("POST", "/v2/templates", shownBy)) as Properties;
  const showing = async (ports: string[]) => {
    await place.service.clearFaults();
    await place.fault({ operation: "getTemplate", times: 99 }, { status: 200, body: { ...created, ports } });
  };
  const { context, said: infos } = withMessages(contextOf(place.emulator), ["info"]);
  const run = () => new Lifecycle(definitions.serverlessEndpoint, async () => context);
  const declared = { name: "chat", templateId: created.id, gpuIds: "ADA_24", workersMax: 0 };
  const { id, ...initial } = await createResource(run(), declared);
  let { state } = initial;

  /** `pulumi up --refresh`: whether it updates. */
  const refreshes = async () => {
    const lifecycle = run();
    const read = await lifecycle.read(id, state);
    const { inputs } = await lifecycle.check(read?.inputs ?? {}, declared);
    const { changes } = await lifecycle.diff(id, read?.state ?? {}, inputs);
    state = changes ? await lifecycle.update(id, read?.state ?? {}, inputs) : (read?.state ?? {});
    return changes;
  };

  await showing(["8888/http", "22/tcp"]);
  expect(await refreshes()).toBe(true);
  expect(infos).toEqual([]);
  expect(await refreshes()).toBe(false);
  const before = state;
  expect(await refreshes()).toBe(false);
  expect(state).toEqual(before);
  expect(infos).toEqual([expect.stringMatching(/\(ports\) although it was copied again: the service shows the two/)]);

  // What changes later is drift again.
  await showing(["9999/http"]);
  expect(await refreshes()).toBe(true);
  await place.service.clearFaults();
  expect(await refreshes()).toBe(false);
  expect(state).not.toHaveProperty("templateSeen");
});
