import type { Body, Warning } from "./fields";
import { converted, type Kind, MigrationError } from "./migrate";

export interface V1Call {
  readonly method: string;
  /** From `/v1/`, with or without a host. */
  readonly path: string;
  readonly body?: unknown;
}

export interface MigratedCall {
  /** Undefined if v2 has no equivalent; then a warning says what to do instead. */
  readonly call?: { readonly method: string; readonly path: string; readonly body?: Body };
  /** For a call that v1 answered with a bare list: the key of the list in v2's answer. */
  readonly list?: string;
  readonly warnings: readonly Warning[];
}

interface Collection {
  readonly path: string;
  readonly kind: Kind;
  readonly list: string;
}

const COLLECTIONS: Readonly<Record<string, Collection>> = {
  pods: { path: "/v2/pods", kind: "Pod", list: "pods" },
  endpoints: { path: "/v2/serverless", kind: "ServerlessContainer", list: "endpoints" },
  templates: { path: "/v2/templates", kind: "Template", list: "templates" },
  networkvolumes: { path: "/v2/network-volumes", kind: "NetworkVolume", list: "networkVolumes" },
  containerregistryauth: { path: "/v2/registries", kind: "Registry", list: "registries" },
};

const BILLING: Readonly<Record<string, string>> = {
  pods: "/v2/billing/pods",
  endpoints: "/v2/billing/serverless",
  networkvolumes: "/v2/billing/network-volumes",
};

/** v2's query parameters of billing, by their names in v1. */
const BILLING_QUERY: Readonly<Record<string, string>> = {
  bucketSize: "bucketSize",
  startTime: "startTime",
  endTime: "endTime",
  podId: "podId",
  endpointId: "serverlessId",
  networkVolumeId: "networkVolumeId",
};

const ACTIONS = ["start", "stop", "restart"];

/**
 * Converts a call of v1 to v2.
 *
 * @throws MigrationError when it is not a call of version 1
 */
export function migrateCall({ method, path, body }: V1Call): MigratedCall {
  const verb = method.toUpperCase();
  const [, rest = "", text = ""] = /^(?:[a-z]+:\/\/[^/]+)?\/v1\/([^?]*?)\/?(?:\?(.*))?$/i.exec(path) ?? [];
  const [first = "", id, action, ...more] = rest.split("/");
  const query = new URLSearchParams(text);
  const collection = Object.hasOwn(COLLECTIONS, first) ? COLLECTIONS[first] : undefined;
  const migrated =
    first === "billing" ? billing(verb, id, query) : collection && onOne(verb, collection, id, action, body);
  if (migrated === undefined || more.length > 0) throw new MigrationError(`${verb} ${path} is not a call of version 1`);
  if (collection === undefined) return migrated;
  const message = "v2 takes no such query parameter: filter what it answers";
  const dropped = [...query.keys()].map((field) => ({ field, message }));
  return { ...migrated, warnings: [...migrated.warnings, ...dropped] };
}

/** A call about one resource, or without an id about all of them. */
function onOne(
  verb: string,
  { path, kind, list }: Collection,
  id: string | undefined,
  action: string | undefined,
  body: unknown,
): MigratedCall | undefined {
  if (id === undefined) {
    if (verb === "GET") return { call: { method: verb, path }, list, warnings: [] };
    return verb === "POST" ? create(kind, path, body) : undefined;
  }
  const one = `${path}/${id}`;
  if (action === undefined && (verb === "GET" || verb === "DELETE"))
    return { call: { method: verb, path: one }, warnings: [] };
  if (action === undefined ? verb === "PATCH" : verb === "POST" && action === "update") return update(kind, one, body);
  if (verb !== "POST" || action === undefined || kind !== "Pod") return undefined;
  if (ACTIONS.includes(action))
    return { call: { method: verb, path: `${one}/action`, body: { action } }, warnings: [] };
  const message =
    "v2 has no equivalent: restart is the nearest, and wipes the container disk as well; for a fresh pod, make another one";
  return action === "reset" ? { warnings: [{ field: "reset", message }] } : undefined;
}

/** Arguments that only the provider uses, or that a create does not accept. */
const NOT_SENT: Readonly<Record<string, string>> = {
  gpuAlternatives: "is the provider's: send the call again with the next GPU type where there is no room for the first",
  locked: "can't be sent with the call that creates: PATCH it afterwards",
  desiredStatus: "can't be sent with the call that creates: stop the pod afterwards",
};

function create(kind: Kind, path: string, body: unknown): MigratedCall {
  const { args, warnings } = converted(body, kind, false);
  const [sent, unsent] = split(args, kind === "Pod" ? Object.keys(NOT_SENT) : []);
  return {
    call: { method: "POST", path, body: sent },
    warnings: [
      ...warnings,
      ...(args.name === undefined ? [{ field: "name", message: "v2 needs one" }] : []),
      ...unsent.filter((name) => args[name] !== false).map((field) => ({ field, message: NOT_SENT[field] ?? "" })),
    ],
  };
}

/** Fields that a PATCH can't change. They need a new resource. */
const FIXED: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  Pod: ["gpu", "cpu", "cloud", "dataCenterIds", "startSsh", "startJupyter", "gpuAlternatives", "desiredStatus"],
  NetworkVolume: ["dataCenter"],
};

function update(kind: Kind, path: string, body: unknown): MigratedCall {
  if (kind === "Registry")
    return { warnings: [{ field: "update", message: "v2 has no such call: make new credentials, then delete these" }] };
  const { args, warnings } = converted(body, kind, true);
  const [changed, fixed] = split(args, FIXED[kind] ?? []);
  const message = "can't change in v2: make a new one with it";
  return {
    call: { method: "PATCH", path, body: changed },
    warnings: [...warnings, ...fixed.map((field) => ({ field, message }))],
  };
}

/** The arguments without some of them, and the names of those that it had. */
function split(args: Body, names: readonly string[]): [rest: Body, had: string[]] {
  const rest = Object.entries(args).filter(([name]) => !names.includes(name));
  return [Object.fromEntries(rest), names.filter((name) => name in args)];
}

function billing(verb: string, of: string | undefined, query: URLSearchParams): MigratedCall | undefined {
  const path = of !== undefined && Object.hasOwn(BILLING, of) ? BILLING[of] : undefined;
  if (verb !== "GET" || path === undefined) return undefined;
  const parameters = new URLSearchParams();
  const warnings: Warning[] = [];
  for (const [name, value] of query) {
    const renamed = Object.hasOwn(BILLING_QUERY, name) ? BILLING_QUERY[name] : undefined;
    if (renamed !== undefined) parameters.append(renamed, value);
    else warnings.push({ field: name, message: "v2's billing takes no such query parameter" });
  }
  const text = parameters.toString();
  return { call: { method: verb, path: text === "" ? path : `${path}?${text}` }, list: "records", warnings };
}
