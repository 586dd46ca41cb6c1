import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { operations } from "../../client";
import { compareContract } from "../../tools/contract/compare";
import { checkout } from "../../tools/run/checkout";
import { inheritedEnv } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { placeForAll } from "../harness/forAll";
import { contractFile } from "./openapi/document";

type Json = Record<string, unknown>;

const place = placeForAll();
let folder: string;
let live: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "contract-"));
  live = await (await fetch(`${place.emulator.baseUrl}/v2/openapi.json`)).text();
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the check as a user does. */
const check = (...argv: string[]) => checkAt("", ...argv);

const checkAt = (address: string, ...argv: string[]) => checkWith({ COMPUTECLOUD_BASE_URL: address }, ...argv);

async function checkWith(variables: NodeJS.ProcessEnv, ...argv: string[]) {
  const main = join(checkout, "dist/tools/contract/main.js");
  const env = { ...inheritedEnv(), ...variables };
  const { exitCode, stdout, stderr } = await run(process.execPath, [main, ...argv], { env });
  return { code: exitCode, out: stdout, err: stderr };
}

/** The service's document with one thing changed. */
async function changed(change: (document: Json) => void): Promise<string> {
  const document = JSON.parse(live) as Json;
  change(document);
  const file = join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(document));
  return file;
}

const lineOf = ({ where, what }: { where: string; what: string }) => `${where}: ${what}`;
const at = (document: Json, ...path: string[]) => path.reduce<Json>((part, name) => part[name] as Json, document);
/** The schema itself, wherever the document keeps it. */
const deref = (document: Json, schema: Json): Json =>
  typeof schema.$ref === "string" ? at(document, ...schema.$ref.split("/").slice(1)) : schema;
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const body = (document: Json, path: string, method: string) =>
  deref(document, at(document, "paths", path, method, "requestBody", "content", "application/json", "schema"));
const reply = (document: Json, path: string, method: string, status = "200") =>
  deref(document, at(document, "paths", path, method, "responses", status, "content", "application/json", "schema"));

describe("contract-check", () => {
  test("finds no break in what the emulator serves, without a key", async () => {
    const { code, out } = await checkAt(place.emulator.baseUrl);
    expect(out).toMatch(/ 0 of which break this version/);
    expect(code).toBe(0);
    expect((await place.calls()).every(({ path }) => path === "/v2/openapi.json")).toBe(true);
  });

  (contractFile === undefined ? test.skip : test)(
    `finds ${contractFile === undefined ? "the absent " : ""}../shared/contract/openapi.json behind what the service has learnt since, and no break`,
    async () => {
      const { code, out } = await check(contractFile ?? "");
      const [ahead = "", counts, ...differences] = out.trimEnd().split("\n").toReversed();
      expect(differences.filter((line) => !/^ +ahead +\S/.test(line))).toEqual([]);
      expect(counts).toMatch(/^\d+ differences, 0 of which break this version/);
      expect(ahead).toBe(
        `${differences.length} are ahead of this schema: this version has them from the service's later pages.`,
      );
      expect(code).toBe(0);
    },
  );

  test.each<[string, string, (document: Json) => void]>([
    [
      "an operation is gone",
      "gone .*GET /v2/network-volumes: operation",
      (document) => void delete at(document, "paths", "/v2/network-volumes").get,
    ],
    [
      "a property that is sent is no longer taken",
      "gone .*POST /v2/registries request.username: property",
      (document) => {
        const schema = body(document, "/v2/registries", "post");
        delete at(schema, "properties").username;
        schema.required = ["name", "password"];
      },
    ],
    [
      "a property that is not known is now required",
      "new .*POST /v2/registries request.region: required property",
      (document) => {
        const schema = body(document, "/v2/registries", "post");
        at(schema, "properties").region = { type: "string" };
        schema.required = [...((schema.required as string[] | undefined) ?? []), "region"];
      },
    ],
    [
      "a property that may be left out is now required",
      "changed .*PATCH /v2/network-volumes/{id} request.size: is now required",
      (document) => {
        body(document, "/v2/network-volumes/{id}", "patch").required = ["size"];
      },
    ],
    [
      "a property that is sent has another type",
      "changed .*POST /v2/network-volumes request.size: no longer takes integer",
      (document) => {
        at(body(document, "/v2/network-volumes", "post"), "properties").size = { type: "string" };
      },
    ],
    [
      "a property that is read is gone",
      "gone .*PUT /v2/account/ssh-keys reply.keys: property",
      (document) => {
        const schema = reply(document, "/v2/account/ssh-keys", "put");
        schema.properties = {};
        schema.required = [];
      },
    ],
    [
      "a property that is read may be left out",
      "changed .*GET /v2/account/ssh-keys reply.keys: may now be left out",
      (document) => {
        reply(document, "/v2/account/ssh-keys", "get").required = [];
      },
    ],
    [
      "a property that is read may be null",
      "changed .*GET /v2/account/ssh-keys reply.keys: may now be null",
      (document) => {
        const keys = at(reply(document, "/v2/account/ssh-keys", "get"), "properties", "keys");
        keys.type = ["array", "null"];
      },
    ],
  ])("exits with 1 and names the place when %s", async (_, line, change) => {
    const { code, out } = await check(await changed(change));
    expect(out).toMatch(new RegExp(`BREAKS +${line}`));
    expect(code).toBe(1);
  });

  test.each<[string, string, (document: Json) => void]>([
    [
      "a new operation",
      "new .*GET /v2/secrets: operation",
      (document) => {
        at(document, "paths")["/v2/secrets"] = { get: {} };
      },
    ],
    [
      "a new property to send",
      "new .*POST /v2/registries request.note: property",
      (document) => {
        at(body(document, "/v2/registries", "post"), "properties").note = { type: "string" };
      },
    ],
    [
      "a new property to read",
      "new .*GET /v2/account/ssh-keys reply.updatedAt: property",
      (document) => {
        at(reply(document, "/v2/account/ssh-keys", "get"), "properties").updatedAt = { type: "string" };
      },
    ],
    [
      "an operation that the schema does not have yet",
      "ahead .*PATCH /v2/tags/{id}: operation",
      (document) => void delete at(document, "paths", "/v2/tags/{id}").patch,
    ],
    [
      "a property that the schema does not have yet",
      "ahead .*POST /v2/templates request.cmd: property",
      (document) => void delete at(body(document, "/v2/templates", "post"), "properties").cmd,
    ],
  ])("lists %s without calling it a break", async (_, line, change) => {
    const { code, out } = await check(await changed(change));
    expect(out).toMatch(new RegExp(`^ +${line}`, "m"));
    expect(code).toBe(0);
  });

  describe.each<[string, boolean, readonly [string, string, (document: Json) => void][]]>([
    [
      "breaks over",
      true,
      [
        [
          "a least size that has grown",
          "POST /v2/network-volumes request.size: minimum is 50, was 10",
          (document) => {
            at(body(document, "/v2/network-volumes", "post"), "properties", "size").minimum = 50;
          },
        ],
        [
          "a pattern",
          "POST /v2/registries request.name: pattern is",
          (document) => {
            at(body(document, "/v2/registries", "post"), "properties", "name").pattern = "^[a-z]+$";
          },
        ],
        [
          "another pattern",
          "POST /v2/account/secrets request.name: pattern is .*, was",
          (document) => {
            at(body(document, "/v2/account/secrets", "post"), "properties", "name").pattern = "^[a-z]+$";
          },
        ],
        [
          "fewer items",
          "PUT /v2/account/ssh-keys request.keys: maxItems is 1",
          (document) => {
            at(body(document, "/v2/account/ssh-keys", "put"), "properties", "keys").maxItems = 1;
          },
        ],
        [
          "a limit of a query",
          "GET /v2/catalog/gpus query.count: maximum is 2",
          (document) => {
            const parameters = at(document, "paths", "/v2/catalog/gpus", "get").parameters as Json[];
            Object.assign(parameters.find(({ name }) => name === "count")?.schema ?? {}, { maximum: 2 });
          },
        ],
        [
          "a query that is required",
          "GET /v2/clusters query.team: required property",
          (document) => {
            const parameters = at(document, "paths", "/v2/clusters", "get").parameters as Json[];
            parameters.push({ name: "team", in: "query", required: true, schema: { type: "string" } });
          },
        ],
        [
          "another default",
          "POST /v2/serverless request.timeout: default is 0, was 300000",
          (document) => {
            at(body(document, "/v2/serverless", "post"), "properties", "timeout").default = 0;
          },
        ],
        [
          "another media type to send",
          "POST /v2/templates request: takes application/xml only",
          (document) => {
            const sent = at(document, "paths", "/v2/templates", "post", "requestBody", "content");
            sent["application/xml"] = sent["application/json"];
            delete sent["application/json"];
          },
        ],
        [
          "another media type to read",
          "GET /v2/templates reply: is application/xml only",
          (document) => {
            const read = at(document, "paths", "/v2/templates", "get", "responses", "200", "content");
            read["application/xml"] = read["application/json"];
            delete read["application/json"];
          },
        ],
        [
          "a header that is required",
          "POST /v2/templates: requires the header X-Team",
          (document) => {
            const parameters = at(document, "paths", "/v2/templates", "post").parameters as Json[];
            parameters.push({ name: "X-Team", in: "header", required: true, schema: { type: "string" } });
          },
        ],
        [
          "another header for the key",
          "GET /v2/pods: no longer takes the key as a bearer",
          (document) => {
            at(document, "components").securitySchemes = {
              bearerAuth: { type: "apiKey", in: "header", name: "X-Api-Key" },
            };
          },
        ],
        [
          "another key for one operation",
          "GET /v2/pods: no longer takes the key as a bearer",
          (document) => {
            at(document, "paths", "/v2/pods", "get").security = [{ session: [] }];
          },
        ],
        [
          "a delete that is only begun when it is answered",
          "DELETE /v2/pods/.id.: answers 202 instead of 204",
          (document) => {
            const responses = at(document, "paths", "/v2/pods/{id}", "delete", "responses");
            responses["202"] = responses["204"];
            delete responses["204"];
          },
        ],
      ],
    ],
    [
      "tells, and goes on over",
      false,
      [
        [
          "a least size that has shrunk",
          "POST /v2/network-volumes request.size: minimum is 1, was 10",
          (document) => {
            at(body(document, "/v2/network-volumes", "post"), "properties", "size").minimum = 1;
          },
        ],
        [
          "another server",
          "servers: are https://api.example.com, were",
          (document) => {
            document.servers = [{ url: "https://api.example.com/" }];
          },
        ],
        [
          "an operation that is deprecated",
          "POST /v2/templates: is deprecated",
          (document) => {
            at(document, "paths", "/v2/templates", "post").deprecated = true;
          },
        ],
        [
          "a property that is deprecated",
          "POST /v2/registries request.username: is deprecated",
          (document) => {
            at(body(document, "/v2/registries", "post"), "properties", "username").deprecated = true;
          },
        ],
        [
          "a delete with another good status",
          "DELETE /v2/pods/.id.: answers 200 instead of 204",
          (document) => {
            const responses = at(document, "paths", "/v2/pods/{id}", "delete", "responses");
            responses["200"] = responses["204"];
            delete responses["204"];
          },
        ],
      ],
    ],
  ])("%s", (_, breaks, cases) => {
    test.each(cases)("%s", (_name, line, change) => {
      const document = JSON.parse(live) as Json;
      change(document);
      const expected = JSON.parse(live) as Json;
      const known = compareContract(expected, operations(), expected).map(lineOf);
      const added = compareContract(document, operations(), expected).filter((each) => !known.includes(lineOf(each)));
      expect(added.map(lineOf)).toContainEqual(expect.stringMatching(line));
      expect(new Set(added.map((difference) => difference.breaks))).toEqual(new Set([breaks]));
    });
  });

  test("finds nothing in what it was made for, servers and parameters of headers included", () => {
    const document = JSON.parse(live) as Json;
    document.servers = [{ url: "https://api.runpod.io" }];
    const lines = at(document, "paths", "/v2/pods/{id}/logs", "get").parameters as Json[];
    lines.push({ name: "Last-Event-ID", in: "header", required: false, schema: { type: "string" } });
    const found = compareContract(document, operations(), JSON.parse(live) as Json);
    expect(found.filter(({ change }) => change !== "new")).toEqual([]);
  });

  test("a schema that contains itself is followed once", () => {
    const document = JSON.parse(live) as Json;
    const schemas = at(document, "components", "schemas");
    schemas.Note = {
      type: "object",
      properties: { answers: { type: "array", items: ref("Note") }, text: ref("Text") },
    };
    schemas.Text = { type: "string", maxLength: 7 };
    at(body(document, "/v2/registries", "post"), "properties").name = ref("Text");
    at(reply(document, "/v2/account/ssh-keys", "get"), "properties").note = ref("Note");
    const found = compareContract(document, operations(), JSON.parse(live) as Json).map(lineOf);
    expect(found).toContain("GET /v2/account/ssh-keys reply.note: property");
    expect(found).toContainEqual(expect.stringMatching(/^POST \/v2\/registries request.name: maxLength is 7/));
  });

  test("tells of a word that is not expected in an answer: the client keeps it as it is", async () => {
    const renamed = live.replaceAll('"EXITED"', '"EXITED","MIGRATING"');
    const file = join(folder, "statuses.json");
    await writeFile(file, renamed);
    const { code, out } = await check(file);
    expect(code).toBe(0);
    expect(out).toMatch(/GET \/v2\/pods\/\{id\} reply.status: may now be MIGRATING/);
    expect(JSON.parse((await check(file, "--json")).out)).toContainEqual({
      change: "new",
      where: "GET /v2/pods/{id} reply.status",
      what: "may now be MIGRATING",
      breaks: false,
    });
  });

  test.each([
    ["a file that is not there", ["/nowhere/openapi.json"], /ENOENT.*\/nowhere\/openapi.json/],
    ["a file that is not an OpenAPI document", [resolve(__dirname, "../../package.json")], /not an OpenAPI document/],
    ["an option it does not know", ["--bogus"], /--bogus/],
  ])("exits with 2 for %s", async (_, argv, words) => {
    const { code, err } = await check(...argv);
    expect(err).toMatch(words);
    expect(code).toBe(2);
  });

  test.each([
    ["an address without a service", "http://127.0.0.1:9", /can't be read: /],
    ["an address that is not https", "http://example.com", /not https/],
  ])("exits with 2 for %s", async (_, address, words) => {
    const { code, err } = await checkAt(address);
    expect(err).toMatch(words);
    expect(code).toBe(2);
  });
});

test("contract-check asks through the proxy of the environment", async () => {
  const asked: string[] = [];
  const proxy = createServer().on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const { code, err } = await checkWith({ COMPUTECLOUD_BASE_URL: "https://api.example.com", HTTPS_PROXY });
  proxy.close();
  expect(asked).toEqual(["api.example.com:443"]);
  expect(code).toBe(2);
  expect(err).toContain("https://api.example.com/v2/openapi.json can't be read");
});
