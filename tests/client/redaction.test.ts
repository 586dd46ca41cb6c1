import { inspect } from "node:util";
import { describe, expect, test } from "@jest/globals";
import { Redacted, redact, secretsIn } from "../../common/redact";
import { json, Script, serverForEach } from "../harness/script";

const pem = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\nAASCBKcwggSjAgEAAoIBAQC7VJTU\n-----END KEY-----\n";

const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("a secret is not shown", () => {
  const secret = 'pa"ss\\wörd/with+everything?';
  // finds mutant no-redaction
  test.each([`user:${secret}`, `{"name":"x","password":"${secret}","more":1}`])("in the base64 of %s", (text) => {
    const redacted = redact(`the service says: Basic ${base64(text)}.`, [secret]);
    expect(redacted).toMatch(/^the service says: .*\[secret\]/);
    // Half of it, decoded from whatever base64 is left.
    for (const piece of redacted.match(/[\w+/-]{12,}/g) ?? [])
      expect(Buffer.from(piece, "base64").toString()).not.toContain("with+every");
  });

  test.each<[string, string]>([
    ["whole", pem],
    ["with other line ends", pem.replaceAll("\n", "\r\n")],
    ["escaped", JSON.stringify(pem)],
    ["line by line", pem.split("\n").join(" | ")],
    ["in part", "AASCBKcwggSjAgEAAoIBAQC7VJTU"],
  ])("when it has several lines and is quoted %s", (_, quoted) => {
    const redacted = redact(`invalid value ${quoted}`, [pem]);
    expect(redacted).not.toMatch(/MIIEvQIBADANBgkqhkiG9w0BAQEF|AASCBKcwggSjAgEAAoIBAQC7VJTU/);
  });
});

// What the encoders themselves wrote for it.
const awkward = 'p&q <w>/it\'s "ö€" 😀\\b+c%25';

describe("an awkward secret is found whole in", () => {
  test.each<[string, string]>([
    ["its own words", awkward],
    ["JSON of JavaScript", String.raw`p&q <w>/it's \"ö€\" 😀\\b+c%25`],
    ["JSON of Go", String.raw`p\u0026q \u003cw\u003e/it's \"ö€\" 😀\\b+c%25`],
    ["JSON of Go in JSON", String.raw`p\\u0026q \\u003cw\\u003e/it's \\\"ö€\\\" 😀\\\\b+c%25`],
    ["JSON of Python", String.raw`p&q <w>/it's \"\u00f6\u20ac\" \ud83d\ude00\\b+c%25`],
    ["JSON of PHP", String.raw`p&q <w>\/it's \"\u00f6\u20ac\" \ud83d\ude00\\b+c%25`],
    [
      "JSON of PHP, all flags",
      String.raw`p\u0026q \u003Cw\u003E\/it\u0027s \u0022\u00f6\u20ac\u0022 \ud83d\ude00\\b+c%25`,
    ],
    ["JSON of PHP in JSON of Python", String.raw`p&q <w>\\/it's \\\"\\u00f6\\u20ac\\\" \\ud83d\\ude00\\\\b+c%25`],
    ["Python's repr", String.raw`p&q <w>/it\'s "ö€" 😀\\b+c%25`],
    ["Python's ascii", String.raw`p&q <w>/it\'s "\xf6\u20ac" \U0001f600\\b+c%25`],
    ["Python's bytes", String.raw`p&q <w>/it\'s "\xc3\xb6\xe2\x82\xac" \xf0\x9f\x98\x80\\b+c%25`],
    ["Go's %+q", String.raw`p&q <w>/it's \"\u00f6\u20ac\" \U0001f600\\b+c%25`],
    ["Rust's and Swift's debug form", String.raw`p&q <w>/it\'s \"\u{f6}\u{20ac}\" \u{1f600}\\b+c%25`],
    ["octal bytes, as of C and git", String.raw`p&q <w>/it's \"\303\266\342\202\254\" \360\237\230\200\\b+c%25`],
    ["encodeURIComponent", encodeURIComponent(awkward)],
    ["encodeURIComponent twice", encodeURIComponent(encodeURIComponent(awkward))],
    ["encodeURI", encodeURI(awkward)],
    ["percent encoding in lower case", "p%26q%20%3cw%3e%2fit%27s%20%22%c3%b6%e2%82%ac%22%20%f0%9f%98%80%5cb%2bc%2525"],
    ["Python's quote", "p%26q%20%3Cw%3E/it%27s%20%22%C3%B6%E2%82%AC%22%20%F0%9F%98%80%5Cb%2Bc%2525"],
    ["a form", new URLSearchParams({ p: awkward }).toString().slice(2)],
    [
      "a form in JSON of Go",
      "p%26q+%3Cw%3E%2Fit%27s+%22%C3%B6%E2%82%AC%22+%F0%9F%98%80%5Cb%2Bc%2525".replaceAll("%", "\\u0025"),
    ],
    ["HTML of Go", "p&amp;q &lt;w&gt;/it&#39;s &#34;ö€&#34; 😀\\b+c%25"],
    ["HTML of Python", "p&amp;q &lt;w&gt;/it&#x27;s &quot;ö€&quot; 😀\\b+c%25"],
    ["HTML of PHP", "p&amp;q &lt;w&gt;/it&#039;s &quot;ö€&quot; 😀\\b+c%25"],
    ["HTML of PHP's htmlentities", "p&amp;q &lt;w&gt;/it&#039;s &quot;&ouml;&euro;&quot; 😀\\b+c%25"],
    ["HTML of an edge, in ASCII", "p&amp;q&#x20;&lt;w&gt;&#x2F;it&apos;s &quot;&#246;&#8364;&quot; &#128512;\\b+c%25"],
    ["HTML twice", "p&amp;amp;q &amp;lt;w&amp;gt;/it&amp;#39;s &amp;#34;ö€&amp;#34; 😀\\b+c%25"],
    [
      "HTML in JSON of Go",
      String.raw`p\u0026amp;q \u0026lt;w\u0026gt;/it\u0026#39;s \u0026#34;ö€\u0026#34; 😀\\b+c%25`,
    ],
    ["CSV", awkward.replaceAll('"', '""')],
    ["SQL", awkward.replaceAll("'", "''")],
    ["a shell's quotes", awkward.replaceAll("'", "'\\''")],
    ["base64", base64(awkward)],
    ["base64 without padding", base64(awkward).replace(/=+$/, "")],
    ["base64 with line breaks", base64(awkward).replaceAll(/.{16}/g, "$&\r\n")],
    ["base64, indented, in JSON", JSON.stringify(base64(awkward).replaceAll(/.{16}/g, "$&\n  ")).slice(1, -1)],
    ["base64 in JSON of PHP", base64(awkward).replaceAll("/", "\\/")],
    ["base64 in an address", encodeURIComponent(base64(awkward))],
    ["base64 in a form", base64(awkward).replaceAll("+", " ")],
    ["base64 for addresses", Buffer.from(awkward).toString("base64url")],
  ])("%s", (_, form) => {
    expect(redact(`the value ${form} is refused`, [awkward])).toBe("the value [secret] is refused");
  });

  test("a text that has other escapes, which stay as they are", () => {
    const text = String.raw`{"detail":"a\u0026b \"hunter\u0032\" 100%25 &amp; c+d"}`;
    expect(redact(text, ["hunter2"])).toBe(String.raw`{"detail":"a\u0026b \"[secret]\" 100%25 &amp; c+d"}`);
  });

  test("no word that a secret's escapes would come to, if that is too short", () => {
    expect(redact("a and b", [String.raw`\u0061`])).toBe("a and b");
  });
});

describe("of a secret", () => {
  test.each<[string, string, string, string]>([
    [
      "that is a JSON document, each text and number",
      '{"a":["deep-one",123456,true,null]}',
      "deep-one 123456 true null",
      "[secret] [secret] true null",
    ],
    ["that only holds one, the whole", 'see {"a":"deep-one"}', 'deep-one, see {"a":"deep-one"}', "deep-one, [secret]"],
    ["of four characters, all", "hunt", "hunt aHVudA== aHVudA", "[secret] [secret] [secret]"],
    ["of fewer, nothing", "yes", "yes eWVz", "yes eWVz"],
    ["in base64, nothing so short that it is in other words", "hunt", "h1bn", "h1bn"],
    ["in base64 for addresses, what is written otherwise there", "secret>>>???", "c2VjcmV0Pj4-Pz8_", "[secret]"],
    ["with space around, the text alone", " hunter2-hunter2 ", "hunter2-hunter2", "[secret]"],
    ["of several lines, indented ones of eight", "  12345678\r\n\r\nshort", "12345678 short", "[secret] short"],
    ["that is cut off, the beginning", "hunter2-hunter2", "hunter2-hunt, hunter2-hunt", "hunter2-hunt, [secret]"],
    ["that is cut off with a mark, the same", 'a"hunter2-hunter2', '{"saw":"a\\"hunter2-hu…', '{"saw":"[secret]…'],
    ["that is cut off after fewer than twelve, nothing", "hunter2-hunter2", "hunter2-hun", "hunter2-hun"],
    ["with half of a surrogate pair, all", "hunter2\ud83d", "undefined: hunter2\ud83d", "undefined: [secret]"],
  ])("%s is hidden", (_, secret, text, expected) => expect(redact(text, [secret])).toBe(expected));

  test("that is JSON nested deeper than the stack, each text is hidden", () => {
    const nested = (text: string) => `${'{"a":['.repeat(50_000)}${text}${"]}".repeat(50_000)}`;
    expect(redact("saw deep-one", [nested('"deep-one"')])).toBe("saw [secret]");
    expect(secretsIn(JSON.parse(nested('{"password":"p"}')))).toEqual(["p"]);
  });

  test("the whole is hidden, where a part of it is another secret", () => {
    expect(redact("a token-long here", ["token", "token-long"])).toBe("a [secret] here");
  });

  // finds mutant key-inspected
  test("no form shows it", () => {
    const hidden = new Redacted("hunter2");
    expect(`${hidden} ${JSON.stringify([hidden])} ${inspect(hidden)}`).toBe('[secret] ["[secret]"] [secret]');
    expect(hidden.reveal()).toBe("hunter2");
  });
});

describe("of values that nobody marked", () => {
  const isHidden = ([name, value]: readonly [string, string]) => secretsIn({ env: { [name]: value } }).length > 0;

  // finds mutant odd-value-shown
  test("those are hidden that are long, and odd or named like a secret", () => {
    const long = [
      ["HF_TOKEN", "in-plain-words"],
      ["A", "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH"],
      ["A", "0123456789abcdef"],
      ["DATABASE", "postgres://app:pw@db/app"],
      ["A", "line\nline"],
    ] as const;
    expect(long.filter((each) => !isHidden(each))).toEqual([]);
  });

  test("ordinary words stay, whatever they are in", () => {
    const words = [
      ["STAGE", "production"],
      ["TOKEN", "prod"],
      ["MODEL_NAME", "meta-llama/Llama-3.1-8B-Instruct"],
      ["ADDRESS", "http://localhost:8000/predict"],
      ["MAX_TOKENS", "131072000"],
      ["MESSAGE", "out of memory"],
    ] as const;
    expect(words.filter(isHidden)).toEqual([]);
  });
});

describe("of a stream", () => {
  const key = "hunter2-hunter2";
  const events = (frame: (letter: string) => string) =>
    [...`say ${key}!`].map((each) => `data: ${frame(each)}\n\n`).join("");
  test.each([
    ["of texts", events((letter) => letter)],
    ["of tokens", events((content) => JSON.stringify({ choices: [{ delta: { content } }], usage: null }))],
    ["of tokens in JSON", JSON.stringify(events((text) => JSON.stringify({ text })))],
  ])("%s, a secret is found letter by letter", (_, text) => {
    const letters = redact(text, [key]).replace(/data:|content|text|choices|delta|usage|null|[^a-z0-9-]/g, "");
    expect(letters).not.toContain("hunter");
    expect(letters).toContain("secret");
  });
});

describe("the secrets of a body", () => {
  const listed = Object.entries({ A_KEY: "abcdefgh", B: null }).map(([key, value]) => ({ key, value }));
  test.each<[string, unknown, string[], string?]>([
    ["values of an environment, as a map", { pod: { env: { A_KEY: "abcdefgh", B_KEY: 12345678 } } }, ["abcdefgh"]],
    ["values of an environment, as a list", { env: listed }, ["abcdefgh"]],
    ["credentials at any depth", { list: [{ username: "u", password: "p", name: "n" }] }, ["u", "p"]],
    ["texts only", { password: 5, accessId: "id", accessSecret: "secret", env: "A=a" }, ["id", "secret"]],
    ["none where there is no environment", { env: null }, []],
    ["none of what is no object", "password", []],
    ["none of nothing", null, []],
    ["the value of a secret", { name: "n", value: "v" }, ["v"], "/v2/account/secrets/sec_1"],
    ["none of a tag's value", { key: "k", value: "v" }, [], "/v2/tags"],
  ])("are %s", (_, body, secrets, path = "") => expect(secretsIn(body, path)).toEqual(secrets));
});

const script = serverForEach(new Script());

test("a call with 4 MB of input is not searched for secrets unless it fails", async () => {
  script.play(json({ id: "j", status: "IN_QUEUE" }));
  let read = 0;
  const input = Object.defineProperty({ prompt: "x".repeat(4_000_000) }, "watched", {
    enumerable: true,
    get: () => {
      read += 1;
      return "value";
    },
  });
  await script.client().queue("e").run({ input });
  // To look for what JSON would lose, and to write it down.
  expect(read).toBe(2);
});
