/* What the model says in a turn, whichever API asks. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { isObject } from "../json";

/** An answer: a whole body, or the events of a stream. Those with a `type` have it as their name, too. */
export type ModelAnswer =
  | { readonly status: number; readonly body: object }
  | { readonly status: 200; readonly events: readonly object[] };

/** When every answer was created, in seconds since the epoch. */
export const CREATED = 1_700_000_000;
/** A refusal that each API writes in its own form. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    readonly param: string | null = null,
  ) {
    super(message);
  }
}

interface Tool {
  readonly name: string;
  /** JSON schema of its arguments. */
  readonly parameters?: unknown;
}

/** What is asked of the model. */
export interface Wish {
  /** What it was told, last of all. */
  readonly said: string;
  /** The most tokens. Default: no limit. */
  readonly most?: number | null | undefined;
  readonly stop?: string | readonly string[] | null | undefined;
  readonly tools?: readonly Tool[];
  /** The tool that must be called: any of them, or the one of that name. Default: none is. */
  readonly call?: true | string | undefined;
  /** JSON that fits this schema. */
  readonly schema?: unknown;
}

export interface Turn {
  /** A word is a token, with the space before it. */
  readonly tokens: readonly string[];
  readonly call?: { readonly name: string; readonly arguments: string } | undefined;
  readonly finish: "stop" | "length" | "tool";
  /** The text that ended it. */
  readonly stop: string | null;
}

/** Repeats what it was told, calls the tool that it must call, or makes JSON. */
export function turnOf({ said, most, stop, tools = [], call, schema }: Wish): Turn {
  if (call !== undefined) {
    const tool = call === true ? tools[0] : tools.find(({ name }) => name === call);
    if (tool === undefined) throw new Refusal(400, "BadRequestError", `tool_choice: there is no tool '${call}'`);
    const value = fitting(tool.parameters ?? { type: "object" }, said, `the arguments of '${tool.name}'`);
    return { tokens: [], call: { name: tool.name, arguments: value }, finish: "tool", stop: null };
  }
  const whole = schema === undefined ? `You said: ${said}` : fitting(schema, said, "the answer");
  return cut(whole, most, stop);
}

/** @param most the most tokens @param stop texts that end it, and aren't said */
export function cut(whole: string, most: Wish["most"], stop: Wish["stop"]): Turn {
  const ends = [stop ?? []].flat().filter((each) => each !== "" && whole.includes(each));
  const [first] = ends.toSorted((a, b) => whole.indexOf(a) - whole.indexOf(b));
  const all = wordsOf(first === undefined ? whole : whole.slice(0, whole.indexOf(first)));
  const tokens = all.slice(0, most ?? all.length);
  return tokens.length < all.length
    ? { tokens, finish: "length", stop: null }
    : { tokens, finish: "stop", stop: first ?? null };
}

export const idOf = (prefix: string, text: string): string =>
  `${prefix}-${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;

/** The words of a text, each with the space before it. */
export const wordsOf = (of: string): string[] => of.match(/\s*\S+/g) ?? [];

/** The most tokens of an answer. */
export const most = z.int().min(1).nullish();
export const stop = z.union([z.string(), z.array(z.string())]).nullish();
export const stream = z.boolean().nullish();

/** The text of a message, whatever its form. */
export const messageText = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
  .nullish()
  .transform((content) =>
    typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join(""),
  );

/** JSON that fits a schema, or a refusal. */
function fitting(schema: unknown, text: string, of: string): string {
  const value = sampleOf(schema, { root: schema, text, depth: 0 });
  if (!fits(schema, value))
    throw new Refusal(400, "BadRequestError", `the emulator's model can't make ${of} from this schema`);
  return JSON.stringify(value);
}

/** Any dialect is read by the newest one's rules. */
function fits(schema: unknown, value: unknown): boolean {
  const { default: Ajv } = require("ajv/dist/2020") as typeof import("ajv/dist/2020");
  const { default: addFormats } = require("ajv-formats") as typeof import("ajv-formats");
  const ajv = new Ajv({ strict: false });
  addFormats(ajv);
  const plain: object = { ...Object(schema), $schema: undefined };
  try {
    return isObject(schema) && ajv.compile(plain)(value);
  } catch {
    return false;
  }
}

const DEEPEST = 32;

const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-01-01",
  "date-time": "2026-01-01T00:00:00Z",
  email: "user@example.com",
  uri: "https://example.com",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/**
 * A value that a JSON schema describes, the same each time: the first of its choices, its least number, what `text` says for a
 * string. Undefined where it can't tell, as with a pattern: whoever asks checks the value.
 */
function sampleOf(schema: unknown, around: { root: unknown; text: string; depth: number }): unknown {
  const { root, text, depth } = around;
  if (!isObject(schema) || depth > DEEPEST) return schema === true ? text : undefined;
  const inside = (part: unknown) => sampleOf(part, { ...around, depth: depth + 1 });
  const { $ref, allOf, items = true, prefixItems, properties, minLength = 0, maxLength, minItems = 1 } = schema;
  if (typeof $ref === "string") return inside(referenced(root, $ref));
  for (const choices of [schema.anyOf, schema.oneOf]) if (Array.isArray(choices)) return inside(choices[0]);
  if (Array.isArray(allOf)) return inside(Object.assign({}, schema, ...allOf, { allOf: undefined }));
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch ([schema.type ?? (properties ? "object" : "string")].flat()[0]) {
    case "null":
      return null;
    case "boolean":
      return true;
    case "integer":
      return Math.ceil(least(schema, 1));
    case "number":
      return least(schema, 0.5);
    case "string":
      return (
        FORMATS[String(schema.format)] ?? text.padEnd(Number(minLength), ".").slice(0, Number(maxLength ?? Infinity))
      );
    case "array":
      return (Array.isArray(prefixItems) ? prefixItems : new Array(Number(minItems)).fill(items)).map(inside);
    case "object":
      return Object.fromEntries(Object.entries(Object(properties)).map(([name, each]) => [name, inside(each)]));
    default:
      return undefined;
  }
}

/** @param step above an exclusive minimum */
const least = ({ minimum, exclusiveMinimum, maximum }: Readonly<Record<string, unknown>>, step: number): number =>
  typeof exclusiveMinimum === "number" ? exclusiveMinimum + step : Number(minimum ?? Math.min(0, Number(maximum ?? 0)));

/** What `#/$defs/name` names. */
const referenced = (root: unknown, reference: string): unknown =>
  reference
    .replace(/^#\/?/, "")
    .split("/")
    .reduce<unknown>((value, name) => (isObject(value) && name !== "" ? value[name] : value), root);
