/* Every door is asked for every promise; rows.ts has the table. */
import { writeFile } from "node:fs/promises";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { commands, wordsOf } from "../../cli/commands";
import { createClient, UsageError } from "../../client";
import { getOrCreate } from "../../common/getOrCreate";
import { hide, MASK, redactKept, secretsInHeaders } from "../../common/redact";
import { HostedOperations } from "../../provider/engine/hostedOperations";
import { kinds } from "../../provider/engine/kinds";
import { engineLog } from "../../provider/engine/log";
import { factsOf } from "../../provider/lifecycle/fields/fields";
import { PartlyMadeError } from "../../provider/lifecycle/state/partlyMade";
import type { EmulatorAddresses } from "../../tools/run/environment";
import type { ProcessOptions } from "../../tools/run/process";
import { Plugin, settingsOf, type Values } from "../functions/startPlugin";
import { emulatorForAll } from "../harness/account";
import { commandOn, scriptedEngine } from "../harness/commandLine";
import { addressesAt, contextOf, NOWHERE } from "../harness/context";
import { examplesBy, operationsOf } from "../harness/examples";
import { folderForAll } from "../harness/folder";
import { logServerForEach } from "../harness/logServer";
import { json, Script, type Step, serverForEach } from "../harness/script";
import { type Served, serve } from "../harness/serve";
import { errorOf } from "../harness/until";
import { canariesIn, echoing, quoting } from "./hostile";
import {
  canaries,
  clientDoors,
  commandDoors,
  engineDoors,
  everyForm,
  files,
  forms,
  functionDoors,
  idsOfFunctions,
  kindDoors,
  logDoors,
  showingCommands,
  silentFunctions,
  silentKinds,
} from "./rows";

const script = serverForEach(new Script());

// finds mutants client-errors-in-clear, credentials-quoted, environment-quoted, events-in-clear, key-shown
test.each(Object.entries(clientDoors))("client.%s: neither its error nor its hooks show a secret", async (_, call) => {
  const leaks: string[] = [];
  for (const [form, write] of Object.entries(forms)) {
    const events: unknown[] = [];
    const keep = (event: unknown) => void events.push(event);
    const hooks = { onRequest: keep, onResponse: keep, onRetry: keep };
    const logger = { debug: keep, info: keep, warn: keep };
    // In the query GraphQL's key is a part of the address.
    const options = { apiKey: canaries.key, graphqlKeyIn: "query" as const };
    const client = script.client({ ...options, ...hooks, logger, logLevel: "debug" });
    const print = (things: object) => inspect(things, { depth: 12, showHidden: true, getters: true });
    const underWay = (...exchange: Parameters<Step>) => {
      events.push(print(client));
      quoting(write)(...exchange);
    };
    script.play(quoting(write, { status: 429 }), underWay);
    const error = await errorOf(call(client));
    const all = print([error, events, client, client.pods]) + String(error) + JSON.stringify([error, client]);
    // A door that asked nothing, or whose answer is not shown, would be asked for nothing here.
    expect(error.message).toContain(MASK);
    if (canariesIn(all).length > 0) leaks.push(form);
  }
  expect(leaks).toEqual([]);
});

test.each(Object.entries(forms))("what is kept of an answer has neither key nor header: %s", (_, write) => {
  const credentials = secretsInHeaders({ "x-token": canaries.header });
  const answer = { echo: [write(canaries.key), { [write(canaries.header)]: 1 }] };
  expect(canariesIn(JSON.stringify(redactKept(answer, [canaries.key, ...credentials])))).toEqual([]);
});

/** All that a server may have put into a state, which the engine does not encrypt: each field but those of the program. */
const { emulator } = emulatorForAll({ settings: { keys: [{ key: canaries.key }] } });
test.each(Object.entries(kinds))(
  "%s: no state that leaves has the key or a header, whatever a server said",
  async (_, load) => {
    const context = contextOf({ ...emulator, apiKey: canaries.key });
    const connect = async () => context;
    const { definition, ...rest } = load(connect);
    const { shape } = definition.inputs;
    const fields = { ...shape, ...definition.outputs.shape };
    const names = Object.keys(fields).filter((name) => {
      const { control, trigger, secret } = shape[name] === undefined ? {} : factsOf(shape[name]);
      return !(control || trigger || secret);
    });
    for (const write of Object.values(forms)) {
      const echo = [write(canaries.key), { [write(canaries.header)]: 1 }];
      const state = Object.fromEntries(names.map((name) => [name, echo]));
      const partly = async () => {
        throw new PartlyMadeError("i", state, ["not usable"]);
      };
      const answering = { ...rest, definition, create: async () => ({ id: "i", state }), update: async () => state };
      const read = async () => ({ inputs: state, state });
      const host = new HostedOperations({ ...answering, read, readById: read }, connect);
      const unready = new HostedOperations({ ...answering, create: partly, update: partly }, connect);
      const args = { headers: { "x-token": canaries.header } };
      const left = [
        await host.create(args),
        await host.update("i", {}, args),
        await host.read("i", args),
        (await errorOf(unready.create(args), PartlyMadeError)).properties,
        (await errorOf(unready.update("i", {}, args), PartlyMadeError)).properties,
      ];
      for (const each of left) expect(canariesIn(JSON.stringify(each))).toEqual([]);
      // An import knows no header.
      expect(JSON.stringify(await host.readById("i"))).not.toContain(write(canaries.key));
      // What the program itself gave stays, or it would differ for ever.
      const declared = Object.fromEntries(names.filter((name) => name in shape).map((name) => [name, echo]));
      expect((await host.create(declared)).state).toMatchObject(declared);
    }
  },
);

describe("the plugin, whose service refuses all but whose key it is", () => {
  let plugin: Plugin;
  let service: Served;
  let refuse = quoting(String);
  let isAccountKnown = true;
  beforeAll(async () => {
    service = await serve((request, response) => {
      if (isAccountKnown && request.url === "/v2/account")
        json({ id: "user_1", email: "a@example.com" })(request, response);
      else refuse(request, response);
    });
    plugin = await Plugin.configured(settingsOf(addressesAt(service.address, canaries.key)));
  });
  afterAll(async () => {
    await plugin.stop();
    await service[Symbol.asyncDispose]();
  });

  const quotes = async (args: object, call: (args: Values) => Promise<unknown>) => {
    const sent = JSON.stringify(args);
    for (const [name, write] of Object.entries(forms)) {
      refuse = quoting(write, { before: sent });
      const { message } = await errorOf(call(JSON.parse(sent)));
      expect([name, message]).toEqual([name, expect.stringContaining(MASK)]);
      expect([name, ...canariesIn(message)]).toEqual([name]);
    }
  };
  test.each(kindDoors)("shows no secret in an error of %s", (kind, args) =>
    quotes(args, (values) => plugin.create(kind, values)),
  );
  test.each(functionDoors)("shows no secret in an error of %s", (name, args) => {
    isAccountKnown = false;
    return quotes(args, async (values) =>
      expect(await plugin.invoke(name, { ...values, __fresh: true })).toBe("an error"),
    );
  });
});

// finds mutant key-to-shown-host
test("the key goes to no host that an answer shows, and that is none of the service's", async () => {
  await using client = createClient({ ...emulator, apiKey: canaries.key });
  const scaling = { type: "REQUEST_COUNT" as const, requestCount: 1 };
  const balancer = { type: "LOAD_BALANCER" as const, image: "repo/web:1", gpu: { pools: ["AMPERE_16"] }, scaling };
  const { id } = await client.serverless.create({ name: "web", ...balancer });
  await using service = await serve(async ({ url = "", headers: { authorization = "" } }, response) => {
    const answer = await (await fetch(emulator.baseUrl + url, { headers: { authorization } })).text();
    const headers = { "content-type": "application/json" };
    response.writeHead(200, headers).end(answer.replaceAll(emulator.serverlessUrl, "https://elsewhere.example.com"));
  });
  await using misled = createClient({ ...emulator, apiKey: canaries.key, baseUrl: service.address });
  const { message } = await errorOf(misled.endpoint(id).fetch("/x"), UsageError);
  expect(message).toContain("is no host of the service, so the key is not sent there");
});

/** What an answer of the service may have left, of whatever the emulator holds. */
describe("the emulator, that echoes the key in whatever it says", () => {
  let service: Served;
  beforeAll(async () => {
    service = await serve(echoing(emulator.baseUrl, everyForm));
    for (const kind of Object.keys(kinds)) await madeOf(kind);
  });
  afterAll(() => service[Symbol.asyncDispose]());
  const addresses = () => addressesAt(service.address, canaries.key);
  const make = examplesBy((kind) => operationsOf(kind, async () => contextOf({ ...emulator, apiKey: canaries.key })));
  const examples = new Map<string, ReturnType<typeof make>>();
  const madeOf = (kind: string) => getOrCreate(examples, kind, () => make(kind));

  // finds mutant echoed-secrets-kept
  test.each(Object.keys(kinds))("%s: a refresh records no key", async (kind) => {
    const { id, state } = await madeOf(kind);
    const context = contextOf(addresses());
    const connect = async () => context;
    const reading = JSON.stringify(await new HostedOperations(operationsOf(kind, connect), connect).read(id, state));
    expect(canariesIn(reading)).toEqual([]);
    expect(reading.includes(MASK)).toBe(!silentKinds.has(kind));
  });

  describe("the plugin", () => {
    let plugin: Plugin;
    beforeAll(async () => {
      plugin = await Plugin.configured(settingsOf(addresses()));
    });
    afterAll(() => plugin.stop());

    // finds mutant answers-in-clear
    test.each(functionDoors)("%s answers without the key", async (name, args) => {
      const kind = idsOfFunctions[name];
      const id = kind === undefined ? {} : { id: (await madeOf(kind)).id };
      const ended = await plugin.invoke(name, { ...args, ...id, __fresh: true }).catch(({ message }: Error) => message);
      const answer = JSON.stringify(ended);
      expect(canariesIn(answer)).toEqual([]);
      expect(answer.includes(MASK)).toBe(!silentFunctions.test(name));
    });
  });

  // finds mutants output-in-clear, key-in-program
  test.each(showingCommands)("the command %s %s %s %s shows no key", async (...args) => {
    for (const json of args[0] === "adopt" ? [[]] : [[], ["--json"]]) {
      const { stdout, stderr } = await commandAt(addresses(), [...args.filter((each) => each !== undefined), ...json]);
      // A program reads what holds a key from the configuration: masked, it would change the resource.
      const isProgram = args[0] === "adopt";
      expect(stdout.includes(MASK)).toBe(!isProgram);
      if (isProgram) expect(stdout).toContain("config.requireSecret(");
      expect(canariesIn(stdout + stderr)).toEqual([]);
    }
  });
});

describe("the engine gets no secret in", () => {
  beforeAll(() => hide(canaries.credential));
  // finds mutant engine-texts-in-clear
  test.each(Object.entries(engineDoors))("%s", async (_, door) => {
    for (const write of Object.values(forms)) {
      const printed = inspect(await door(write(canaries.credential)), { depth: 9 });
      expect(printed).toContain(MASK);
      expect(canariesIn(printed)).toEqual([]);
    }
  });

  const server = logServerForEach();
  test.each(Object.entries(logDoors))("%s", async (_, door) => {
    for (const [count, write] of Object.values(forms).entries()) {
      door(engineLog(server.address), write(canaries.credential));
      await server.hears(count + 1);
    }
    for (const { message } of server.said)
      expect([message, ...canariesIn(message)]).toEqual([expect.stringContaining(MASK)]);
  });
});

test("each command has a row", () =>
  expect(Object.keys(commandDoors)).toEqual(commands.map((entry) => wordsOf(entry).join(" ")).sort()));

/** The engine beside the commands says what it knows, in every form. */
const says = Object.values(forms)
  .flatMap((form) => [form(canaries.key), form(canaries.backend)])
  .join(" ");
const folder = folderForAll();
let engine: { readonly PATH: string };
beforeAll(async () => {
  for (const [name, content] of Object.entries(files)) await writeFile(folder.at(name), content);
  await writeFile(folder.at("said"), says);
  engine = await scriptedEngine(folder.path, `cat '${folder.at("said")}' >&2; exit 255`);
});

const commandAt = (addresses: EmulatorAddresses, args: readonly string[], more: ProcessOptions = {}) =>
  commandOn(addresses, args, {
    cwd: folder.path,
    env: { ...engine, PULUMI_BACKEND_URL: `postgres://somebody:${canaries.backend}@host/states` },
    ...more,
  });

const rowsOfCommands = Object.entries(commandDoors).flatMap(([name, door]) =>
  typeof door === "string" ? [] : [[name, door] as const],
);
test.each(rowsOfCommands)("the command %s prints no secret, for people and as JSON", async (name, door) => {
  await using service = await serve(quoting(everyForm));
  const addresses = addressesAt(service.address, canaries.key);
  for (const json of door.hasNoJson ? [[]] : [[], ["--json"]]) {
    const interrupt = new AbortController();
    const onLine = (line: string) => line.includes(MASK) && name === "watch" && interrupt.abort();
    const { stdout, stderr } = await commandAt(addresses, [...name.split(" "), ...door.args, ...json], {
      signal: interrupt.signal,
      onLine,
    });
    expect(stdout + stderr).toContain(door.meets ?? MASK);
    expect(canariesIn(stdout + stderr)).toEqual([]);
  }
});

const pasted = Object.entries(commandDoors).map(([name, door]) => [
  name,
  ...(typeof door === "string" ? [] : door.args),
  `--my-key=${canaries.key}`,
]);
// finds mutant pasted-key-shown
test.each([...pasted, [canaries.key], [`--${canaries.header}`]].map((args) => [args.join(" "), args] as const))(
  "no key that was pasted as an argument is quoted: %s",
  async (_, [name = "", ...args]) => {
    const { stdout, stderr } = await commandAt({ ...NOWHERE, apiKey: "another" }, [
      ...name.split(" "),
      ...args,
      "--json",
    ]);
    expect(stdout + stderr).toMatch(/unknown (option|command) '.*\[secret]'/);
    expect(canariesIn(stdout + stderr)).toEqual([]);
  },
);
