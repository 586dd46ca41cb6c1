import { beforeEach, expect, it } from "@jest/globals";
import type { Handler } from "../../../emulator";
import { accountForEach } from "../../harness/account";
import { pod } from "../../harness/requests";
import { openEndpoint } from "./jobPlane";

const talk: Handler = (input, job) => job.log(`hello ${input.name}`);
const cloud = accountForEach({ settings: { podBootMs: 2000 }, handlers: { "repo/talk:1": talk } });
let podId: string;
beforeEach(async () => {
  podId = await cloud.service.create("/v2/pods", pod("trainer"));
  await cloud.advance(2000);
});

type Line = Record<"source" | "line" | "ts", string>;

const open = (query = "", headers: Record<string, string> = {}) => openAt(`/v2/pods/${podId}/logs${query}`, headers);

/** An open log stream; `next` waits for so many lines. */
async function openAt(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(cloud.baseUrl + path, {
    headers: { authorization: `Bearer ${cloud.apiKey}`, ...headers },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next = async (count: number): Promise<Line[]> => {
    while (text.split("\n\n").length <= count) text += (await reader?.read())?.value ?? "";
    const frames = text.split("\n\n");
    text = frames.slice(count).join("\n\n");
    return frames.slice(0, count).map((frame) => {
      const [, id, data] = /^id: (.*)\ndata: (.*)$/.exec(frame) ?? [];
      const line: Line = JSON.parse(data ?? "");
      expect(id).toBe(line.ts);
      return line;
    });
  };
  return { response, next, [Symbol.asyncDispose]: async () => await reader?.cancel() };
}

const act = (action: string) => cloud.rest("POST", `/v2/pods/${podId}/action`, { action });
const texts = (lines: Line[]) => lines.map(({ line }) => line);

const BOOT = ["create container busybox", "start container", "container is ready"];

it("a pod's log stream gives what was written, then every new line, and stays open", async () => {
  await using logs = await open();
  expect(logs.response.headers.get("content-type")).toMatch("text/event-stream");
  expect(logs.response.headers.get("cache-control")).toBe("no-cache");
  expect(logs.response.headers.get("x-accel-buffering")).toBe("no");
  expect(logs.response.headers.get("ratelimit")).toBeTruthy();
  expect(texts(await logs.next(3))).toEqual(BOOT);
  await act("stop");
  expect(await logs.next(1)).toMatchObject([{ source: "system", line: "stop container" }]);
  await act("start");
  expect(texts(await logs.next(1))).toEqual(BOOT.slice(0, 1));
});

it("a pod's log stream is open at once even when it has nothing to say", async () => {
  await using logs = await open("?tail=0");
  expect(logs.response.status).toBe(200);
  await act("stop");
  expect(texts(await logs.next(1))).toEqual(["stop container"]);
});

it("a pod's log stream holds one source when one is named", async () => {
  await using container = await open("?source=container");
  expect(texts(await container.next(1))).toEqual(["container is ready"]);
  await using system = await open("?source=system");
  expect(texts(await system.next(2))).toEqual(BOOT.slice(0, 2));
});

it("a pod's log stream begins with the tail, or at `since`, or after the line that came last, the later of these winning", async () => {
  await using tail = await open("?tail=1");
  const [ready] = await tail.next(1);
  expect(ready?.line).toBe("container is ready");
  await using all = await open();
  const [created, started] = await all.next(2);
  await using since = await open(`?tail=1&since=${started?.ts}`);
  expect(texts(await since.next(2))).toEqual(BOOT.slice(1));
  await using resumed = await open(`?tail=1&since=${created?.ts}`, { "last-event-id": started?.ts ?? "" });
  await act("stop");
  expect(texts(await resumed.next(2))).toEqual(["container is ready", "stop container"]);
});

it.each(["?tail=5001", "?tail=-1", "?tail=some", "?source=kernel", "?since=yesterday"])(
  "a pod's log stream refuses %s with a 422",
  async (query) => {
    expect((await cloud.rest("GET", `/v2/pods/${podId}/logs${query}`)).status).toBe(422);
  },
);

it("a worker's log stream shows what the handler prints, and belongs to the worker's own endpoint", async () => {
  const { id, run, workers } = await openEndpoint(cloud, { image: "repo/talk:1", workers: { min: 1, max: 1 } });
  await cloud.advance(1000);
  await run({ name: "world" });
  await cloud.advance(1000);
  const [worker] = (await workers()).workers;
  const path = (endpointId: string) => `/v2/serverless/${endpointId}/workers/${worker.id}/logs`;
  await using logs = await openAt(`${path(id)}?source=container`);
  expect(texts(await logs.next(3))).toEqual(["worker is ready", expect.stringMatching(/^started job /), "hello world"]);
  expect((await cloud.rest("GET", path((await openEndpoint(cloud)).id))).status).toBe(404);
});
