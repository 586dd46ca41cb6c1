/* Servers that say all that they were sent, in every form. */
import type { RequestListener } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { logEvent, type Step } from "../harness/script";
import { canaries, type Form } from "./rows";

/** Refuses, and quotes the canaries of the request, and of what it was sent before, in this form, wherever an answer has a text. */
export const quoting = (form: Form, { before = "", status = 422 } = {}): Step => {
  return async (request, response) => {
    const sent = before + request.url + JSON.stringify(request.headers) + (await text(request));
    // Apart, for an error shows 2,000 characters of a text.
    const secrets = Object.values(canaries).filter((each) => sent.includes(each));
    const quotes = secrets.map(form);
    const isGraphql = request.url?.startsWith("/graphql") ?? false;
    const errors = isGraphql ? quotes.map((message) => ({ message })) : quotes;
    response.writeHead(isGraphql ? 200 : status, {
      "content-type": "application/problem+json",
      "x-request-id": encodeURIComponent(secrets.join()),
      "retry-after": "1",
    });
    response.end(JSON.stringify({ title: "Bad", status, detail: quotes.at(-1), errors }));
  };
};

/** Members of answers that hold any text. */
const FREE = /^(name|image|imageName|args|title|detail|message|error|description|displayName|line|email|output)$/;

/** Another server, such as the emulator, whose answers have the key behind each text that may be any. */
export const echoing = (address: string, form: Form): RequestListener => {
  const echo = (key: string, value: unknown) =>
    typeof value === "string" && FREE.test(key) ? `${value} ${form(canaries.key)}` : value;
  return async (request, response) => {
    const { authorization = "", "content-type": type = "" } = request.headers;
    const body = await buffer(request);
    const answer = await fetch(address + request.url, {
      method: request.method ?? "GET",
      headers: { authorization, ...(type !== "" && { "content-type": type }) },
      ...(body.length > 0 && { body }),
    });
    const headers = { "content-type": answer.headers.get("content-type") ?? "" };
    if (headers["content-type"].includes("event-stream")) {
      await answer.body?.cancel();
      return response.writeHead(200, headers).end(logEvent(1, form(canaries.key)));
    }
    const isJson = headers["content-type"].includes("json");
    const said = await answer.text();
    return response.writeHead(answer.status, headers).end(isJson ? JSON.stringify(JSON.parse(said), echo) : said);
  };
};

/** What is left of the canaries: in the text itself, read as JSON writes it, or out of base64, or letter by letter. */
export function canariesIn(message: string): string[] {
  const plain = message.replace(/\\+u([\da-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const decoded = [...plain.matchAll(/[\w+/-]{16,}/g)].map(([each]) => Buffer.from(each, "base64").toString("latin1"));
  const letters = [...plain.matchAll(/content\\*":\\*"(.)/g)].map(([, letter]) => letter).join("");
  return [plain, ...decoded, letters].filter((each) => /canary/i.test(each));
}
