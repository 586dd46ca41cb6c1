/* Every door is asked for every promise; rows.ts has the table. */
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { commands, wordsOf } from "../../cli/commands";
import { nouns } from "../../client/rest/nouns";
import { MASK, redactKept, secretsInHeaders } from "../../common/redact";
import { RunAccount } from "../../provider/engine/account";
import { HostedOperations } from "../../provider/engine/hostedOperations";
import { kinds } from "../../provider/engine/kinds";
import { factsOf } from "../../provider/lifecycle/fields/fields";
import { PartlyMadeError } from "../../provider/lifecycle/state/partlyMade";
import { run } from "../../tools/run/process";
import { serviceThat } from "../cli/hostileService";
import { Plugin, settingsOf, type Values } from "../functions/startPlugin";
import { emulatorForAll } from "../harness/account";
import { MAIN } from "../harness/commandLine";
import { contextOf } from "../harness/context";
import { json, Script, type Step, serverForEach } from "../harness/script";
import { type Served, serve } from "../harness/serve";
import { errorOf } from "../harness/until";
import { canaries, clientDoors, commandDoors, forms, functionDoors, kindDoors } from "./rows";

const script = serverForEach(new Script());

/** Refuses, and quotes the canaries of the request, and of what it was sent before, in this form, wherever an answer has a text. */
const quoting = (form: (text: string) => string, before = ""): Step => {
  const inHeader = encodeURIComponent(canaries.key);
  return async (request, response) => {
    const sent = before + JSON.stringify(request.headers) + (await text(request));
    // Apart, for an error shows 2,000 characters of a text.
    const quotes = Object.values(canaries)
      .filter((each) => sent.includes(each))
      .map(form);
    response.writeHead(422, { "content-type": "application/problem+json", "x-request-id": inHeader });
    response.end(JSON.stringify({ title: "Bad", status: 422, detail: quotes.at(-1), errors: quotes }));
  };
};

/** What is left of the canaries: in the text itself, read as JSON writes it, or out of base64, or letter by letter. */
function canariesIn(message: string): string[] {
  const plain = message.replace(/\\+u([\da-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const decoded = [...plain.matchAll(/[\w+/-]{16,}/g)].map(([each]) => Buffer.from(each, "base64").toString("latin1"));
  const letters = [...plain.matchAll(/content\\*":\\*"(.)/g)].map(([, letter]) => letter).join("");
  return [plain, ...decoded, letters].filter((each) => each.includes("CANARY"));
}

test("each of the client's nouns has a row", () => {
  expect(Object.keys(nouns).filter((noun) => !(noun in clientDoors))).toEqual([]);
});

// finds mutant client-errors-in-clear
test.each(Object.entries(clientDoors))("client.%s: neither its error nor its hooks show a secret", async (_, call) => {
  const leaks: string[] = [];
  for (const [form, write] of Object.entries(forms)) {
    const events: unknown[] = [];
    const keep = (event: unknown) => void events.push(event);
    const client = script.client({ apiKey: canaries.key, onRetry: keep, onResponse: keep });
    script.play(quoting(write));
    const error = await errorOf(call(client));
    const all = inspect([error, events], { depth: 12, showHidden: true }) + String(error) + JSON.stringify(error);
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
    const account = new RunAccount(context.client, context.settings, context.log, context.signal);
    const connect = async () => ({ ...context, account });
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
    const { address } = service;
    plugin = await Plugin.start();
    const urls = { baseUrl: address, serverlessUrl: address, graphqlUrl: `${address}/graphql` };
    await plugin.configure(settingsOf({ apiKey: canaries.key, ...urls }));
  });
  afterAll(async () => {
    await plugin.stop();
    await service[Symbol.asyncDispose]();
  });

  const quotes = async (args: object, call: (args: Values) => Promise<unknown>) => {
    const sent = JSON.stringify(args);
    for (const [name, write] of Object.entries(forms)) {
      refuse = quoting(write, sent);
      const { message } = await errorOf(call(JSON.parse(sent)));
      expect([name, message]).toEqual([name, expect.stringContaining(MASK)]);
      expect([name, ...canariesIn(message)]).toEqual([name]);
    }
  };
  // finds mutant engine-texts-in-clear
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

test("each command has a row", () =>
  expect(Object.keys(commandDoors)).toEqual(commands.map((entry) => wordsOf(entry).join(" ")).sort()));

const rowsOfCommands = Object.entries(commandDoors).filter(([, args]) => typeof args !== "string");
test.each(rowsOfCommands)("the command %s prints no secret, for people and as JSON", async (name, args) => {
  await using service = await serviceThat(
    quoting((text) =>
      Object.values(forms)
        .map((form) => form(text))
        .join(" "),
    ),
  );
  for (const json of [[], ["--json"]]) {
    const env = { ...service.environment, COMPUTECLOUD_API_KEY: canaries.key };
    const { stdout, stderr } = await run(process.execPath, [MAIN, name, ...args, ...json], { env });
    expect(stdout + stderr).toContain(MASK);
    expect(canariesIn(stdout + stderr)).toEqual([]);
  }
});
