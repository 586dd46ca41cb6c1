/* What a maintainer learns of a newer schema of the service: `tools/contract/main.ts`. */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { operations } from "../../client";
import { type ContractDifference, compareContract } from "../../tools/contract/compare";
import { checkout } from "../../tools/run/checkout";
import { inheritedEnv } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { folderForAll } from "../harness/folder";
import { placeForAll } from "../harness/forAll";
import { contractFile } from "./openapi/document";

type Json = Record<string, unknown>;
type Change = (document: Json) => void;

const place = placeForAll();
const folder = folderForAll();
let live: string;
beforeAll(async () => {
  live = await (await fetch(`${place.emulator.baseUrl}/v2/openapi.json`)).text();
});

/** Runs the check as a maintainer does. */
async function check(variables: NodeJS.ProcessEnv, ...argv: string[]) {
  const main = join(checkout, "dist/tools/contract/main.js");
  const env = { ...inheritedEnv(), ...variables };
  const { exitCode, stdout, stderr } = await run(process.execPath, [main, ...argv], { env });
  return { code: exitCode, out: stdout, err: stderr };
}

const lineOf = ({ change, where, what }: ContractDifference) => `${change} ${where}: ${what}`;
const at = (document: Json, ...path: string[]) => path.reduce<Json>((part, name) => part[name] as Json, document);
/** The schema itself, wherever the document keeps it. */
const deref = (document: Json, schema: Json): Json =>
  typeof schema.$ref === "string" ? at(document, ...schema.$ref.split("/").slice(1)) : schema;
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** An operation such as `POST /v2/pods`. */
function operationIn(document: Json, name: string): Json {
  const [method = "", path = ""] = name.split(" ");
  return at(document, "paths", path, method.toLowerCase());
}
const content = (document: Json, part: Json) => deref(document, at(part, "content", "application/json", "schema"));
const body = (document: Json, name: string) => content(document, at(operationIn(document, name), "requestBody"));
const reply = (document: Json, name: string) => content(document, at(operationIn(document, name), "responses", "200"));

const operation =
  (name: string, facts: Json): Change =>
  (document) =>
    Object.assign(operationIn(document, name), facts);
const sent =
  (name: string, facts: Json): Change =>
  (document) =>
    Object.assign(body(document, name), facts);
const read =
  (name: string, facts: Json): Change =>
  (document) =>
    Object.assign(reply(document, name), facts);
/** Changes a property, at the place that a line of the report names: `changed POST /v2/pods request.name: …`. */
const property =
  (line: string, facts: Json): Change =>
  (document) => {
    const [, name = "", side, property = ""] = /^\w+ (\w+ \S+) (request|reply)\.(\w+):/.exec(line) ?? [];
    const properties = at(side === "request" ? body(document, name) : reply(document, name), "properties");
    properties[property] = { ...(properties[property] as Json | undefined), ...facts };
  };
const parameter =
  (name: string, facts: Json): Change =>
  (document) => {
    const parameters = operationIn(document, name).parameters as Json[];
    const same = parameters.find((each) => each.name === facts.name);
    if (same === undefined) parameters.push(facts);
    else Object.assign(same, facts);
  };
const renamed =
  (part: (document: Json) => Json, from: string, to: string): Change =>
  (document) => {
    const place = part(document);
    place[to] = place[from];
    delete place[from];
  };
const answersOf = (name: string) => (document: Json) => at(operationIn(document, name), "responses");

const KEYS = "/v2/account/ssh-keys";
const breaking: [line: string, change: Change | Json][] = [
  [
    "gone GET /v2/network-volumes: operation",
    (document) => void delete at(document, "paths", "/v2/network-volumes").get,
  ],
  [
    "gone POST /v2/registries request.username: property",
    sent("POST /v2/registries", { properties: { name: {}, password: {} }, required: [] }),
  ],
  [
    "new POST /v2/registries request.region: required property",
    (document) => {
      property("new POST /v2/registries request.region:", { type: "string" })(document);
      sent("POST /v2/registries", { required: ["region"] })(document);
    },
  ],
  [
    "changed PATCH /v2/network-volumes/{id} request.size: is now required",
    sent("PATCH /v2/network-volumes/{id}", { required: ["size"] }),
  ],
  ["changed POST /v2/network-volumes request.size: no longer takes integer", { type: "string" }],
  [`gone PUT ${KEYS} reply.keys: property`, read(`PUT ${KEYS}`, { properties: {}, required: [] })],
  [`changed GET ${KEYS} reply.keys: may now be left out`, read(`GET ${KEYS}`, { required: [] })],
  [`changed GET ${KEYS} reply.keys: may now be null`, { type: ["array", "null"] }],
  ["changed POST /v2/network-volumes request.size: minimum is 50, was 10", { minimum: 50 }],
  ["changed POST /v2/registries request.name: pattern is", { pattern: "^[a-z]+$" }],
  ["changed POST /v2/account/secrets request.name: pattern is .*, was", { pattern: "^[a-z]+$" }],
  [`changed PUT ${KEYS} request.keys: maxItems is 1`, { maxItems: 1 }],
  [
    "changed GET /v2/catalog/gpus query.count: maximum is 2",
    parameter("GET /v2/catalog/gpus", { name: "count", schema: { type: "integer", maximum: 2 } }),
  ],
  [
    "new GET /v2/clusters query.team: required property",
    parameter("GET /v2/clusters", { name: "team", in: "query", required: true, schema: { type: "string" } }),
  ],
  ["changed POST /v2/serverless request.timeout: default is 0, was 300000", { default: 0 }],
  [
    "changed POST /v2/templates request: takes application/xml only",
    renamed(
      (document) => at(operationIn(document, "POST /v2/templates"), "requestBody", "content"),
      "application/json",
      "application/xml",
    ),
  ],
  [
    "changed GET /v2/templates reply: is application/xml only",
    renamed(
      (document) => at(answersOf("GET /v2/templates")(document), "200", "content"),
      "application/json",
      "application/xml",
    ),
  ],
  [
    "new POST /v2/templates: requires the header X-Team",
    parameter("POST /v2/templates", { name: "X-Team", in: "header", required: true, schema: { type: "string" } }),
  ],
  [
    "changed GET /v2/pods: no longer takes the key as a bearer",
    (document) =>
      void Object.assign(at(document, "components"), {
        securitySchemes: { bearerAuth: { type: "apiKey", in: "header", name: "X-Api-Key" } },
      }),
  ],
  [
    "changed GET /v2/pods: no longer takes the key as a bearer",
    operation("GET /v2/pods", { security: [{ session: [] }] }),
  ],
  [
    "changed DELETE /v2/pods/.id.: answers 202 instead of 204",
    renamed(answersOf("DELETE /v2/pods/{id}"), "204", "202"),
  ],
];
const harmless: [line: string, change: Change | Json][] = [
  [
    "new GET /v2/secrets: operation",
    (document) => void Object.assign(at(document, "paths"), { "/v2/secrets": { get: {} } }),
  ],
  ["new POST /v2/registries request.note: property", { type: "string" }],
  [`new GET ${KEYS} reply.updatedAt: property`, { type: "string" }],
  ["ahead PATCH /v2/tags/{id}: operation", (document) => void delete at(document, "paths", "/v2/tags/{id}").patch],
  [
    "ahead POST /v2/templates request.cmd: property",
    (document) => void delete at(body(document, "POST /v2/templates"), "properties").cmd,
  ],
  ["changed POST /v2/network-volumes request.size: minimum is 1, was 10", { minimum: 1 }],
  [
    "changed servers: are https://api.example.com, were",
    (document) => void Object.assign(document, { servers: [{ url: "https://api.example.com/" }] }),
  ],
  ["changed POST /v2/templates: is deprecated", operation("POST /v2/templates", { deprecated: true })],
  ["changed POST /v2/registries request.username: is deprecated", { deprecated: true }],
  [
    "changed DELETE /v2/pods/.id.: answers 200 instead of 204",
    renamed(answersOf("DELETE /v2/pods/{id}"), "204", "200"),
  ],
  [
    "new GET /v2/pods/.id. reply.status: may now be MIGRATING",
    (document) => {
      const { status = {} } = at(reply(document, "GET /v2/pods/{id}"), "properties") as { status?: Json };
      (deref(document, status).enum as string[]).push("MIGRATING");
    },
  ],
];

const compared = (change: Change) => {
  const document = JSON.parse(live) as Json;
  change(document);
  const expected = JSON.parse(live) as Json;
  const before = new Set(compareContract(expected, operations(), expected).map(lineOf));
  return compareContract(document, operations(), expected).filter((each) => !before.has(lineOf(each)));
};

describe.each([
  ["breaks this version", true, breaking],
  ["breaks nothing", false, harmless],
] as const)("a schema in which this differs %s", (_, breaks, rows) => {
  test.each(rows)("%s", (line, change) => {
    const added = compared(typeof change === "function" ? change : property(line, change));
    const pattern = new RegExp(line.replaceAll(/[{}]/g, "\\$&"));
    expect(added.map(lineOf)).toContainEqual(expect.stringMatching(pattern));
    expect(added.find((difference) => pattern.test(lineOf(difference)))?.breaks).toBe(breaks);
    if (!breaks) expect(added.some((difference) => difference.breaks)).toBe(false);
  });
});

test("a schema that is the one of this version differs in nothing, with other servers' headers", () => {
  const lines = { name: "Last-Event-ID", in: "header", required: false, schema: { type: "string" } };
  const added = compared((document) => {
    document.servers = [{ url: "https://api.runpod.io" }];
    parameter("GET /v2/pods/{id}/logs", lines)(document);
  });
  expect(added.filter(({ change }) => change !== "new")).toEqual([]);
});

test("a schema that contains itself is followed once", () => {
  const lines = compared((document) => {
    Object.assign(at(document, "components", "schemas"), {
      Note: { type: "object", properties: { answers: { type: "array", items: ref("Note") }, text: ref("Text") } },
      Text: { type: "string", maxLength: 7 },
    });
    at(body(document, "POST /v2/registries"), "properties").name = ref("Text");
    property(`new GET ${KEYS} reply.note:`, ref("Note"))(document);
  }).map(lineOf);
  expect(lines).toContain(`new GET ${KEYS} reply.note: property`);
  expect(lines).toContainEqual(expect.stringMatching(/^changed POST \/v2\/registries request.name: maxLength is 7/));
});

describe("the command", () => {
  test("finds no break in what the emulator serves, without a key", async () => {
    const { code, out } = await check({ COMPUTECLOUD_BASE_URL: place.emulator.baseUrl });
    expect(out).toMatch(/ 0 of which break this version/);
    expect(code).toBe(0);
    expect((await place.calls()).every(({ path }) => path === "/v2/openapi.json")).toBe(true);
  });

  (contractFile === undefined ? test.skip : test)(
    `finds ${contractFile === undefined ? "the absent " : ""}../shared/contract/openapi.json behind what the service has learnt since, and no break`,
    async () => {
      const { code, out } = await check({}, contractFile ?? "");
      const [ahead = "", counts, ...differences] = out.trimEnd().split("\n").toReversed();
      expect(differences.filter((line) => !/^ +ahead +\S/.test(line))).toEqual([]);
      expect(counts).toMatch(/^\d+ differences, 0 of which break this version/);
      expect(ahead).toBe(
        `${differences.length} are ahead of this schema: this version has them from the service's later pages.`,
      );
      expect(code).toBe(0);
    },
  );

  test("exits with 1 for a break, and prints differences as JSON", async () => {
    const document = JSON.parse(live) as Json;
    operation("GET /v2/pods", { security: [{ session: [] }] })(document);
    const file = folder.at("openapi.json");
    await writeFile(file, JSON.stringify(document));
    const { code, out } = await check({}, file);
    expect(out).toMatch(/BREAKS +changed +GET \/v2\/pods: no longer takes the key as a bearer/);
    expect(code).toBe(1);
    expect(JSON.parse((await check({}, file, "--json")).out)).toContainEqual(
      expect.objectContaining({ change: "changed", where: "GET /v2/pods", breaks: true }),
    );
  });

  test.each<[string, NodeJS.ProcessEnv, string[], RegExp]>([
    ["another document", {}, [resolve(__dirname, "../../package.json")], /not an OpenAPI document/],
    ["an unknown option", {}, ["--bogus"], /--bogus/],
    ["an address without a service", { COMPUTECLOUD_BASE_URL: "http://127.0.0.1:9" }, [], /can't be read: /],
  ])("exits with 2 for %s", async (_, variables, argv, words) => {
    const { code, err } = await check(variables, ...argv);
    expect(err).toMatch(words);
    expect(code).toBe(2);
  });

  test("asks through the proxy of the environment", async () => {
    const asked: string[] = [];
    const proxy = createServer().on("connect", (request, socket) => {
      asked.push(request.url ?? "");
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const { code, err } = await check({ COMPUTECLOUD_BASE_URL: "https://api.example.com", HTTPS_PROXY });
    proxy.close();
    expect(asked).toEqual(["api.example.com:443"]);
    expect(code).toBe(2);
    expect(err).toContain("https://api.example.com/v2/openapi.json can't be read");
  });
});
