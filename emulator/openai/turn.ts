/* What the model says in a turn, whichever API asks. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { isObject } from "../json";
import { sampleOf } from "./sample";

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

export interface Tool {
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

/** The text of a message, whatever its form. */
export const messageText = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
  .nullish()
  .transform((content) =>
    typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join(""),
  );

/** JSON that fits a schema, or a refusal. */
function fitting(schema: unknown, text: string, of: string): string {
  const value = sampleOf(schema, text);
  if (!fits(schema, value))
    throw new Refusal(400, "BadRequestError", `the emulator's model can't make ${of} from this schema`);
  return JSON.stringify(value);
}

function fits(schema: unknown, value: unknown): boolean {
  const { default: Ajv } = require("ajv/dist/2020") as typeof import("ajv/dist/2020");
  const { default: addFormats } = require("ajv-formats") as typeof import("ajv-formats");
  const ajv = new Ajv({ strict: false });
  addFormats(ajv);
  try {
    return isObject(schema) && ajv.compile(withoutDialect(schema))(value);
  } catch {
    return false;
  }
}

/** Any dialect is read by the newest one's rules. */
const withoutDialect = ({ $schema: _, ...schema }: Readonly<Record<string, unknown>>) => schema;
