/* The service may say more of a thing than was declared, or less. */
import { afterEach, expect, test } from "@jest/globals";
import type { Properties } from "../../provider/lifecycle/fields/values";
import type { EmulatorAddresses } from "../../tools/run/environment";
import { checked, contextOf, createResource, up, withMessages } from "../harness/context";
import { operationsOf } from "../harness/examples";
import { placeForAll } from "../harness/place";
import { endpoint } from "../harness/requests";
import { startProxy } from "../verify/proxy";

const filledIn = { ports: ["8888/http", "22/tcp"], args: "start.sh", env: { JUPYTER_PASSWORD: "made-up" } };

const place = placeForAll();
afterEach(() => place.reset());

const startOf = (kind: string, addresses: EmulatorAddresses = place.emulator) =>
  operationsOf(kind, async () => contextOf(addresses));
const POD = { name: "p", image: "busybox", cpu: { id: "cpu3c", vcpuCount: 2 } };
const CONTAINER = { ...endpoint("e"), workers: { max: 0 } };

test.each([
  ["template", "/v2/templates", { name: "t", image: "busybox" }],
  ["pod", "/v2/pods", POD],
  ["serverlessContainer", "/v2/serverless", CONTAINER],
])("what the service fills in on a %s stays, and is no difference after a refresh", async (kind, path, declared) => {
  await place.service.settings({ filledIn });
  const lifecycle = startOf(kind);
  const { id, state } = await createResource(lifecycle, declared);
  const live = () => place.service.rest("GET", `${path}/${id}`);
  expect(await live()).toMatchObject(filledIn);

  const read = (await lifecycle.read(id, state)) ?? { inputs: {}, state: {} };
  const inputs = await checked(lifecycle, declared, read.inputs);
  expect((await lifecycle.diff(id, read.state, inputs)).changes).toBe(false);

  // What was declared, and is no longer, goes.
  const withPorts = await up(lifecycle, { id, inputs, state: read.state }, { ...declared, ports: ["80/http"] });
  expect((await lifecycle.diff(id, withPorts.state, inputs)).changes).toBe(true);
  await lifecycle.update(id, withPorts.state, inputs);
  expect(await live()).toMatchObject({ ports: filledIn.ports });
  await place.service.settings({ filledIn: {} });
  expect(await live()).toMatchObject({ ports: [] });
});

test("a create that is answered with an id alone is read once more, and is not gone while the service does not show it", async () => {
  await using proxy = await startProxy(place.emulator, () => async (call, forward) => {
    const reply = await forward(call);
    return call.method === "POST" ? { ...reply, body: { id: reply.body.id } } : reply;
  });
  const lifecycle = startOf("pod", proxy);
  const { id, state } = await createResource(lifecycle, POD);
  expect(await place.service.rest("GET", `/v2/pods/${id}`)).toMatchObject({ disk: state.disk });
  await place.service.settings({ readLagMs: 60_000, listLagMs: 60_000 });
  const late = await createResource(lifecycle, { ...POD, awaitRunning: false });
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
    const declared = { ...CONTAINER, type: "LOAD_BALANCER", scaling };
    const { id, state } = await createResource(startOf("serverlessContainer"), declared);
    const read = await startOf("serverlessContainer", proxy).read(id, state);
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
  const run = () => operationsOf("serverlessEndpoint", async () => context);
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
