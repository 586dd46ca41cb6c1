import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isObject, type Properties } from "../../lifecycle/values";

/** The key that makes an object of the wire something else than an object, and what its value may say. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
/** What stands for a value that is not known yet: any value, then bool, number, array, asset, archive, object. */
const UNKNOWNS: ReadonlySet<unknown> = new Set([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Values as the engine sent them, in clear, and what it said of them. */
export interface Received {
  readonly values: Properties;
  /** At least one of them, at any depth, is a secret. */
  readonly secret: boolean;
  /** The texts and numbers among the secrets. */
  readonly secrets: readonly string[];
  /** At least one of them, at any depth, is not known yet. */
  readonly unknown: boolean;
}

export function receive(struct: Struct | undefined): Received {
  const said = { secret: false, unknown: false };
  const secrets: string[] = [];
  const plain = (value: unknown, hidden = false): unknown => {
    if (UNKNOWNS.has(value)) {
      said.unknown = true;
      return undefined;
    }
    if (Array.isArray(value)) return value.map((item) => plain(item, hidden));
    if (!isObject(value)) {
      if (hidden && (typeof value === "string" || typeof value === "number")) secrets.push(String(value));
      return value;
    }
    const signature = value[SIGNATURE];
    const secret = hidden || signature === SECRET || (signature === OUTPUT && value.secret === true);
    if (secret) said.secret = true;
    // An output without a value is one that is not known yet.
    if (signature === OUTPUT && !("value" in value)) said.unknown = true;
    if (signature === SECRET || signature === OUTPUT) return plain(value.value, secret);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member, secret)]));
  };
  const values = plain(struct?.toJavaScript() ?? {});
  return { values: isObject(values) ? values : {}, secrets, ...said };
}

/** An answer on its way to the engine; a secret one is so property by property. */
export function send(values: object, secret: boolean): Struct {
  const members = wireMembers(values).map(([key, value]): [string, JavaScriptValue] => [
    key,
    secret ? { [SIGNATURE]: SECRET, value } : value,
  ]);
  return Struct.fromJavaScript(Object.fromEntries(members));
}

/** The answer to arguments that are not known yet: properties whose values are not known either. */
export function sendUnknown(keys: readonly string[]): Struct {
  return Struct.fromJavaScript(Object.fromEntries(keys.map((key) => [key, UNKNOWN])));
}

function wireMembers(values: object): [string, JavaScriptValue][] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, wire(value)]);
}

function wire(value: unknown): JavaScriptValue {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(wire);
  if (typeof value === "object") return Object.fromEntries(wireMembers(value));
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : String(value);
}
