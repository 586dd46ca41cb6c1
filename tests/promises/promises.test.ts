/* Every door is asked for every promise; rows.ts has the table. */
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { expect, test } from "@jest/globals";
import { nouns } from "../../client/rest/nouns";
import { redactKept, secretsInHeaders } from "../../common/redact";
import { errorOf } from "../harness/errorOf";
import { serverForEach } from "../harness/forEach";
import { Script, type Step } from "../harness/script";
import { canaries, clientDoors, forms } from "./rows";

const script = serverForEach(new Script());

/** Refuses, and quotes the canaries of the request in this form, wherever an answer has a text. */
const quoting = (form: (text: string) => string): Step => {
  const inHeader = encodeURIComponent(canaries.key);
  return async (request, response) => {
    const sent = JSON.stringify(request.headers) + (await text(request));
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
    if (canariesIn(all).length > 0) leaks.push(form);
  }
  expect(leaks).toEqual([]);
});

test.each(Object.entries(forms))("what is kept of an answer has neither key nor header: %s", (_, write) => {
  const credentials = secretsInHeaders({ "x-token": canaries.header });
  const answer = { echo: [write(canaries.key), { [write(canaries.header)]: 1 }] };
  expect(canariesIn(JSON.stringify(redactKept(answer, [canaries.key, ...credentials])))).toEqual([]);
});
