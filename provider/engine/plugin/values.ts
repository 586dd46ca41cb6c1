import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isRecord } from "../../../common/json";
import { UNKNOWN } from "../../lifecycle/fields/unknown";
import { ownMember, type Properties } from "../../lifecycle/fields/values";
import { SIGNATURE, UNKNOWNS } from "../asData";
import type { Secrecy } from "../secrecy";

/** Two values of the key `SIGNATURE`. */
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** Values that the engine sent, in clear, with what it marked. `UNKNOWN` stands for what is not known yet. */
export interface Received {
  readonly values: Properties;
  readonly secrecy: Secrecy;
  /** At least one of them, at any depth, is a secret. */
  readonly secret: boolean;
  /** The texts and numbers among the secrets. */
  readonly secrets: readonly string[];
  /** At least one of them, at any depth, is not known yet. */
  readonly unknown: boolean;
}

export function receive(struct: Struct | undefined): Received {
  const marks = { secret: false, unknown: false };
  const secrets: string[] = [];
  const plain = (value: unknown, hidden = false): unknown => {
    if (UNKNOWNS.has(value)) {
      marks.unknown = true;
      return UNKNOWN;
    }
    if (Array.isArray(value)) return value.map((item) => plain(item, hidden));
    if (!isRecord(value)) {
      if (hidden && (typeof value === "string" || typeof value === "number")) secrets.push(String(value));
      return value;
    }
    const signature = value[SIGNATURE];
    const secret = hidden || isSecret(value);
    if (secret) marks.secret = true;
    // An output without a value is not known yet.
    if (signature === OUTPUT && !("value" in value)) return plain(UNKNOWN);
    if (signature === SECRET || signature === OUTPUT) return plain(value.value, secret);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member, secret)]));
  };
  const sent: unknown = struct?.toJavaScript() ?? {};
  const values = plain(sent);
  return { values: isRecord(values) ? values : {}, secrecy: secrecyOf(sent) ?? {}, secrets, ...marks };
}

function isSecret(value: Properties): boolean {
  return value[SIGNATURE] === SECRET || (value[SIGNATURE] === OUTPUT && value.secret === true);
}

function secrecyOf(value: unknown): Secrecy | undefined {
  if (value === null || typeof value !== "object") return undefined;
  if (isRecord(value)) {
    if (isSecret(value)) return true;
    if (value[SIGNATURE] === OUTPUT) return secrecyOf(value.value);
  }
  const parts = Object.entries(value).flatMap(([key, member]): [string, Secrecy][] => {
    const secrecy = secrecyOf(member);
    return secrecy === undefined ? [] : [[key, secrecy]];
  });
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

/** Encodes values for the engine. What a server said passes `asData` before. */
export function send(values: object, secrecy: Secrecy = {}): Struct {
  const members = wireMembers(values, secrecy === true ? {} : secrecy);
  return Struct.fromJavaScript(Object.fromEntries(members));
}

/** Marks each property as a secret: an answer of a function can't be one as a whole. */
export const allSecret = (values: object): Secrecy => Object.fromEntries(Object.keys(values).map((key) => [key, true]));

/** The answer to arguments that are not known yet: its properties are not known either. */
export function sendUnknown(keys: readonly string[]): Struct {
  return Struct.fromJavaScript(Object.fromEntries(keys.map((key) => [key, UNKNOWN])));
}

function wireMembers(values: object, secrecy: Exclude<Secrecy, true>): [string, JavaScriptValue][] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, wire(value, ownMember(secrecy, key))]);
}

function wire(value: unknown, secrecy: Secrecy = {}): JavaScriptValue {
  if (secrecy === true) return { [SIGNATURE]: SECRET, value: wire(value) };
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((item, index) => wire(item, secrecy[index]));
  if (typeof value === "object") return Object.fromEntries(wireMembers(value, secrecy));
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : String(value);
}
