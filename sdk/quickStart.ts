import type { Session } from "node:inspector";
import Module, { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";

/*
 * Preloaded by Node into a program and Pulumi's process for dynamic resources: a Pulumi command on a small stack then takes half
 * the time. Most of the time that Pulumi's SDK takes to load goes to what few programs use: serialised closures with npm's
 * dependency resolver and the TypeScript compiler, the Automation API, exporters of traces, and a debugger in each program. They
 * wait until somebody asks, and what is left is compiled once. Any other process of Node is left alone, and so is what another
 * version of the SDK has elsewhere.
 */

type Exports = Record<PropertyKey, unknown>;
type Load = () => Exports;

const manifest = require.resolve("@pulumi/pulumi/package.json");
const requireAsSdk = createRequire(manifest);
const sdk = join(manifest, "..");
const closures = join(sdk, "runtime", "closure");

const HOSTS = ["run", "dynamic-provider"].map((host) => join(sdk, "cmd", host, "index.js"));

/** Loaded when anything of them is read. */
const MODULES = ["@npmcli/arborist", "typescript", join(sdk, "automation", "index.js")];

/** They export functions and classes only, which are read at once: loaded when one of them is called. */
const MODULES_OF_FUNCTIONS = [
  join(closures, "codePaths.js"),
  join(closures, "serializeClosure.js"),
  "@opentelemetry/exporter-zipkin",
  "@opentelemetry/instrumentation",
  "@opentelemetry/instrumentation-grpc",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace-base",
  "@opentelemetry/sdk-trace-node",
];

/**
 * Connects V8's debugger to each program, which copies and hashes the source of whatever is loaded, to know where a closure stands
 * that is serialised. And its flag of V8 makes the program refuse what the host of dynamic resources compiled.
 */
const DEBUGGER = join(closures, "v8Hooks.js");

/** Minor versions of the SDK that this was tried with, the first and the last. Others may have other modules. */
const KNOWN = [142, 276] as const;

startQuickly(process.argv[1]);

/** @param host the file that the process runs; anything else than one of Pulumi's hosts is left alone */
export function startQuickly(host: string | undefined): void {
  if (host === undefined || !HOSTS.includes(host)) return;
  const { version } = require(manifest) as { version: string };
  const [major, minor] = version.split(".").map(Number);
  if (major !== 3 || minor === undefined || minor < KNOWN[0] || minor > KNOWN[1]) {
    const range = KNOWN.map((each) => `3.${each}`).join(" to ");
    console.error(`A quick start knows @pulumi/pulumi ${range}: version ${version} starts without it.`);
    return;
  }
  require("../provider/engine/compileCache");
  for (const name of MODULES) defer(name, (load, key) => load()[key]);
  for (const name of MODULES_OF_FUNCTIONS) defer(name, laterFunction);
  let session: Promise<Session> | undefined;
  defer(DEBUGGER, (load, key) => {
    if (key === "isInitializedAsync") return async () => {};
    return key === "getSessionAsync" ? () => (session ??= connected(load)) : laterFunction(load, key);
  });
  leaveUnmapped();
}

/** The SDK asks for many stack traces, and needs the program's lines only. */
function leaveUnmapped(): void {
  const maps = resolved("source-map-support");
  if (maps === undefined) return;
  const { install } = requireAsSdk(maps) as { install(options: object): void };
  const unmapped = { url: null, map: { version: 3, sources: [], names: [], mappings: "" } };
  install({ retrieveSourceMap: (file: string) => (file.startsWith(sdk) ? unmapped : null) });
}

/** The SDK begins to listen after V8 has reported the scripts that were loaded before, so V8 reports them again. */
async function connected(load: Load): Promise<Session> {
  const { getSessionAsync } = load() as { getSessionAsync(): Promise<Session> };
  const opened = await getSessionAsync();
  const post = promisify((method: string, done: (error: Error | null) => void) => opened.post(method, done));
  await post("Debugger.disable");
  await post("Debugger.enable");
  return opened;
}

/** @param member reads an export, by a function that loads the module and by the export's name */
function defer(name: string, member: (load: Load, key: PropertyKey) => unknown): void {
  const file = resolved(name);
  if (file === undefined) return;
  let exports: Exports | undefined;
  const load = () => {
    if (exports === undefined) {
      delete require.cache[file];
      exports = requireAsSdk(file) as Exports;
    }
    return exports;
  };
  const handler: ProxyHandler<Exports> = {
    // The SDK copies, and so loads, what doesn't look like an ES module.
    get: (_, key) => (key === "__esModule" ? true : member(load, key)),
    has: (_, key) => key in load(),
    ownKeys: () => Reflect.ownKeys(load()),
    getOwnPropertyDescriptor(_, key) {
      const property = Reflect.getOwnPropertyDescriptor(load(), key);
      return property && { ...property, configurable: true };
    },
  };
  const later = new Module(file);
  require.cache[file] = Object.assign(later, { filename: file, loaded: true, exports: new Proxy({}, handler) });
}

/** Undefined where this version of the SDK has no such module. */
function resolved(name: string): string | undefined {
  try {
    return requireAsSdk.resolve(name);
  } catch {
    return undefined;
  }
}

function laterFunction(load: Load, key: PropertyKey): unknown {
  const real = () => load()[key] as (...args: unknown[]) => unknown;
  return new Proxy(class {}, {
    apply: (_, self, args) => Reflect.apply(real(), self, args),
    construct: (_, args) => Reflect.construct(real(), args) as object,
    get: (_, property) => Reflect.get(real(), property),
  });
}
