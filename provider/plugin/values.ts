import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isObject, type Properties } from "../lifecycle/values";

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
  /** At least one of them, at any depth, is not known yet. */
  readonly unknown: boolean;
}

export function receive(struct: Struct | undefined): Received {
  const said = { secret: false, unknown: false };
  const plain = (value: unknown): unknown => {
    if (UNKNOWNS.has(value)) {
      said.unknown = true;
      return undefined;
    }
    if (Array.isArray(value)) return value.map(plain);
    if (!isObject(value)) return value;
    const signature = value[SIGNATURE];
    if (signature === SECRET || (signature === OUTPUT && value.secret === true)) said.secret = true;
    // An output without a value is one that is not known yet.
    if (signature === OUTPUT && !("value" in value)) said.unknown = true;
    if (signature === SECRET || signature === OUTPUT) return plain(value.value);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
  };
  const values = plain(struct?.toJavaScript() ?? {});
  return { values: isObject(values) ? values : {}, ...said };
}

/** An answer on its way to the engine. "all" makes every property a secret; names, those properties at any depth. */
export function send(values: object, secret: "all" | readonly string[]): Struct {
  const names = secret === "all" ? Object.keys(values) : secret;
  return Struct.fromJavaScript(Object.fromEntries(wireMembers(values, names)));
}

/** The answer to arguments that are not known yet: properties whose values are not known either. */
export function sendUnknown(keys: readonly string[]): Struct {
  return Struct.fromJavaScript(Object.fromEntries(keys.map((key) => [key, UNKNOWN])));
}

function wireMembers(values: object, secrets: readonly string[]): [string, JavaScriptValue][] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      if (!secrets.includes(key) || isEmpty(value)) return [key, wire(value, secrets)];
      return [key, { [SIGNATURE]: SECRET, value: wire(value, []) }];
    });
}

function wire(value: unknown, secrets: readonly string[]): JavaScriptValue {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((item) => wire(item, secrets));
  if (typeof value === "object") return Object.fromEntries(wireMembers(value, secrets));
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : String(value);
}

/** Nothing to hide; marking it would hide all that stands around it from a program's outputs. */
function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}
