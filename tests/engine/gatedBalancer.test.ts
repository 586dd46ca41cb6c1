// @long: a gate of requests through a life; tests/queue/request.test.ts holds the requests, gatedEndpoint.test.ts the life.
/* A load balancer and a pod on a real engine: a deployment passes once they have answered. */
import { expect, test } from "@jest/globals";
import { emulatorForAll } from "../harness/account";
import { leavesNothing, said, stackForAll } from "../harness/scenario";

const BROKEN = 2;
const servers = Object.fromEntries(
  [1, BROKEN, 3].map((version) => [
    `acme/api:${version}`,
    (request: Request) => {
      if (new URL(request.url).pathname === "/ping") return new Response();
      const answer = { serves: true, version, key: request.headers.get("authorization") };
      return version === BROKEN ? new Response("no model found", { status: 500 }) : Response.json(answer);
    },
  ]),
);

const program = (version: number, port = 8000) => `
  const pulumi = require("@pulumi/pulumi");
  const { GatedEndpoint, Pod, SmokeRequest } = require("pulumi-computecloud");
  const api = new GatedEndpoint("api", {
    type: "LOAD_BALANCER",
    image: "acme/api:${version}",
    gpu: { pools: ["AMPERE_16"] },
    scaling: { type: "REQUEST_COUNT", requestCount: 4 },
    gate: {
      request: {
        path: "/predict", body: { token: pulumi.secret("hunter2-token") }, expect: { json: { serves: true } },
        requests: 3, total: { p95: "30s" }, timeout: "1m",
      },
    },
    verify: true,
  });
  const pod = new Pod("web", { image: "acme/api:1", gpu: { id: "NVIDIA L4" }, ports: ["8000/http"] });
  const web = new SmokeRequest("web", {
    pod, port: ${port}, path: "/x", expect: { json: { serves: true } }, timeout: "5s",
  });
  exports.url = api.requestUrls.base;
  exports.candidateId = api.candidateId;
  exports.measured = api.measuredRequests;
  exports.web = web.answer;
`;

const { emulator, service } = emulatorForAll({ servers });
const stack = stackForAll(() => ({ program: program(1), emulator }));

async function served(): Promise<unknown> {
  const { url } = await stack.outputs();
  const answer = await fetch(`${url}/predict`, { headers: { authorization: `Bearer ${emulator.apiKey}` } });
  return answer.json();
}

test("a load balancer takes a new image only once a candidate has answered; a pod answers at its port", async () => {
  expect((await stack.preview()).changes).toEqual({ create: 9 });
  expect(await service.isEmpty()).toBe(true);
  await stack.up();
  expect(await served()).toMatchObject({ version: 1 });
  const { candidateId, measured, web } = await stack.outputs();
  expect(measured).toMatchObject({ requests: 3, coldStart: expect.any(Number), total: { p95: expect.any(Number) } });
  // A key would stand in the answer; the engine drops null.
  expect(web).toEqual({ serves: true, version: 1 });
  const state = await stack.pulumi(["stack", "export"]);
  expect(state).not.toContain("hunter2");
  expect(state).not.toContain(emulator.apiKey);
  expect((await stack.up()).changes).toEqual({ same: 8 });

  await stack.edit(program(BROKEN));
  const broken = await stack.up({ fails: true });
  expect(broken.failed).toMatchObject([{ op: "update", name: "api-gate" }]);
  expect(said(broken)).toMatch(
    /POST \S+\/predict to endpoint \w+ got 500: the server answered with an error of its own/,
  );
  expect(said(broken)).not.toContain("hunter2");
  expect(await served()).toMatchObject({ version: 1 });
  expect((await service.state()).endpoints.find(({ id }) => id === candidateId)).toMatchObject({ workers: { max: 0 } });

  await stack.edit(program(3));
  await stack.up();
  expect(await served()).toMatchObject({ version: 3 });

  await stack.edit(program(3, 9000));
  expect(said(await stack.up({ fails: true }))).toMatch(
    /GET \S+ to port 9000 of pod \w+ was not answered .*, last: 404: the pod does not expose this port: add "9000\/http"/,
  );
  await leavesNothing(stack, service);
});
