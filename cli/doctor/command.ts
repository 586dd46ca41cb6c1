import type { Command } from "@commander-js/extra-typings";
import {
  type Account,
  AuthenticationError,
  areaOf,
  type CallOptions,
  type Client,
  ConnectionError,
  connectedClient,
  countriesIn,
  fromEnvironment,
  NotFoundError,
  PermissionError,
  type ResponseEvent,
  type SavedEndpoint,
  SettingsReader,
  TimeoutError,
  UsageError,
} from "../../client";
import { inSeconds } from "../../common/duration";
import { parseJson } from "../../common/json";
import { messageOf } from "../../common/messageOf";
import { compareVersions, nodeProblem } from "../../common/requireNode";
import { nameOfUrn } from "../../common/urn";
import { z } from "../../common/zod";
import { kindOf } from "../../provider/cost/monthlyCost";
import { markOf, mayNotAsk } from "../../provider/engine/account";
import { readSettings, suggestedSetting } from "../../provider/engine/config";
import { NoPulumiError, runPulumi, withoutPasswords } from "../../provider/engine/pulumiCommand";
import { Exported, type Recorded } from "../../provider/engine/stackStates";
import { ACCOUNT } from "../../provider/lifecycle/definition";
import type { Settings } from "../../provider/lifecycle/run";
import { projectFile } from "../drift/drift";
import { exitCodes, explain, jsonOption, print, printJson } from "../output";
import { interruptible } from "../withClient";

const { version } = require("pulumi-computecloud/package.json") as { version: string };

interface Finding {
  readonly check: string;
  /** `hint`: it works, but with a limitation that the user should know. */
  readonly result: "ok" | "hint" | "failed";
  readonly found: string;
  /** What to do. */
  readonly fix?: string;
}

const ok = (check: string, state: string): Finding => ({ check, result: "ok", found: state });
const hint = (check: string, state: string, fix: string): Finding => ({ check, result: "hint", found: state, fix });
const failed = (check: string, state: string, fix: string): Finding => ({ check, result: "failed", found: state, fix });
/** A failure whose message says what to do. */
const failure = (check: string, error: unknown): Finding => ({ check, result: "failed", found: messageOf(error) });

/** How far this machine's clock may be from the service's. */
const TOLERATED_MS = 60_000;
/** The oldest supported engine. */
const ENGINE = "3.142.0";
/** More than a command of the engine takes, however busy the machine is. */
const PATIENCE_MS = 60_000;
/** The most endpoints that a line names. */
const MOST_NAMES = 10;
const PROXIES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

export function doctor(command: Command): void {
  explain(command, { examples: ["doctor", "doctor --json"], fails: "a check failed", connects: true });
  command
    .description("Checks what a deployment needs, and says how to fix what is wrong. Changes nothing.")
    .option(...jsonOption)
    .action(async ({ json }) => {
      const findings = await interruptible(async (signal) => {
        const [{ finding, config }, recorded] = await Promise.all([stack(signal), recordedResources(signal)]);
        return [
          node(),
          ...(await Promise.all([engine, plugin, backend].map((check) => check(signal)))),
          finding,
          proxy(),
          ...(await service(signal, config, recorded)),
        ];
      });
      if (json) printJson({ findings });
      else for (const finding of findings) print(lineOf(finding));
      process.exitCode = findings.some(({ result }) => result === "failed") ? exitCodes.failed : exitCodes.done;
    });
}

const MARKS = { ok: "ok    ", hint: "note  ", failed: "FAILED" } as const;

function lineOf({ check, result, found, fix }: Finding): string {
  const line = `${MARKS[result]}  ${check.padEnd(17)}${found}`;
  return fix === undefined ? line : `${line}\n${" ".repeat(25)}-> ${fix}`;
}

function node(): Finding {
  const problem = nodeProblem();
  const nodeVersion = process.versions.node;
  return problem === undefined ? ok("Node", nodeVersion) : failed("Node", nodeVersion, problem);
}

async function engine(signal: AbortSignal): Promise<Finding> {
  const { isDone, stdout, problem } = await ask(["version"], signal);
  if (!isDone) return failed("engine", problem, "install the Pulumi CLI");
  const [number] = /\d+\.\d+\.\d+/.exec(stdout) ?? [];
  const isOld = number !== undefined && compareVersions(number, ENGINE) < 0;
  const engineVersion = `pulumi ${stdout.trim()}`;
  return isOld ? failed("engine", engineVersion, `install Pulumi ${ENGINE} or newer`) : ok("engine", engineVersion);
}

async function plugin(signal: AbortSignal): Promise<Finding> {
  const { isDone, stdout } = await ask(["plugin", "ls", "--json"], signal);
  const { data: plugins = [] } = z.array(z.looseObject({})).safeParse(parseJson(stdout));
  const installed = isDone && plugins.some((each) => each.name === "computecloud" && each.version === version);
  return installed
    ? ok("plugin", version)
    : hint(
        "plugin",
        `${version} is not installed; TypeScript programs do it by themselves`,
        "for other languages: npx pulumi-computecloud plugin install",
      );
}

async function backend(signal: AbortSignal): Promise<Finding> {
  const { isDone, stdout, problem } = await ask(["whoami", "--verbose"], signal);
  const where = /Backend URL: *(\S.*)/.exec(stdout)?.[1];
  return isDone && where !== undefined
    ? ok("backend", withoutPasswords(where))
    : failed(
        "backend",
        `no backend for the states of stacks: ${problem}`,
        "pulumi login, or PULUMI_BACKEND_URL; `pulumi login --local` keeps them on this machine",
      );
}

const configuration = z.record(z.string(), z.object({ value: z.string().optional() }));

/** The selected stack's configuration, which wins over the environment. */
async function stack(signal: AbortSignal) {
  const [selected, { isDone, stdout, problem }] = await Promise.all([
    ask(["stack", "--show-name"], signal),
    ask(["config", "--json", "--show-secrets"], signal),
  ]);
  const parsed = configuration.safeParse(parseJson(stdout));
  const values = isDone && parsed.success ? Object.entries(parsed.data) : [];
  const config = new Map(
    values.flatMap(([key, { value }]) => (key.startsWith("computecloud:") && value ? [[key, value] as const] : [])),
  );
  const finding = selected.isDone
    ? isDone
      ? configurationFinding(selected.stdout.trim(), [...config.keys()])
      : failed(
          "stack",
          `the configuration of ${selected.stdout.trim()} can't be read: ${problem}`,
          "set the stack's passphrase in PULUMI_CONFIG_PASSPHRASE, or name a file that holds it in PULUMI_CONFIG_PASSPHRASE_FILE",
        )
    : await noStack(selected.problem, signal);
  return { finding, config };
}

/** No stack is selected, or the project is not one. */
async function noStack(problem: string, signal: AbortSignal): Promise<Finding> {
  const file = projectFile(process.cwd());
  // It needs no stack, but a project.
  const used = file === undefined ? undefined : await ask(["plugin", "ls", "--project", "--json"], signal);
  if (used?.isDone === false)
    return failed(
      "stack",
      `Pulumi can't use the project: ${used.problem}`,
      `correct ${file}, or what the message names`,
    );
  const { PULUMI_STACK: name } = process.env;
  if (used === undefined || !name) {
    const fix = "run it where a stack is selected to check its configuration too";
    return hint("stack", `only the environment was checked: ${problem}`, fix);
  }
  // A stack that the project does not have, which the engine takes for none.
  const { stdout } = await ask(["stack", "ls", "--json"], signal);
  const { data: stacks = [] } = z.array(z.object({ name: z.string() })).safeParse(parseJson(stdout));
  const others = stacks.length === 0 ? "no stack" : stacks.map((each) => each.name).join(", ");
  const fix = `pulumi stack init ${name}, or set PULUMI_STACK to another`;
  return failed("stack", `PULUMI_STACK names ${name}, and this project has ${others}`, fix);
}

function configurationFinding(name: string, keys: readonly string[]): Finding {
  const misspelt = keys.find((key) => suggestedSetting(key) !== "");
  if (misspelt !== undefined)
    return failed(
      "stack",
      `${name} sets ${misspelt}, which is not a setting${suggestedSetting(misspelt)}`,
      `pulumi config rm ${misspelt}, and set the right one`,
    );
  const description =
    keys.length === 0
      ? "sets nothing; the environment is used"
      : `sets ${keys.join(", ")}; the other commands read the environment alone`;
  return ok("stack", `${name} ${description}`);
}

/** The resources of the selected stack's state. */
async function recordedResources(signal: AbortSignal): Promise<Recorded> {
  const { isDone, stdout } = await ask(["stack", "export"], signal);
  return Exported.safeParse(isDone ? parseJson(stdout) : undefined).data ?? [];
}

function proxy(): Finding {
  const set = PROXIES.filter((name) => process.env[name]);
  if (set.length === 0) return ok("proxy", "none");
  const wrong = set.find((name) => !/^https?:\/\//.test(process.env[name] ?? ""));
  return wrong === undefined
    ? ok("proxy", set.join(", "))
    : failed("proxy", `${wrong} has no scheme`, "write it as http://host:port");
}

/** The key, the three addresses, what the key may read, and the service's time. */
async function service(
  signal: AbortSignal,
  config: ReadonlyMap<string, string>,
  resources: Recorded,
): Promise<Finding[]> {
  let client: Client;
  let settings: Settings;
  let date: unknown;
  const onResponse = ({ headers }: ResponseEvent) => {
    date = headers.date;
  };
  try {
    // Without a stack's configuration, messages should name the environment's variables.
    const connection = config.size === 0 ? new SettingsReader(fromEnvironment).connection() : undefined;
    settings = readSettings((key) => config.get(key));
    client = connectedClient({ ...settings, ...connection, retryBudgetMs: PATIENCE_MS, onResponse });
  } catch (error) {
    return [failure("settings", error)];
  }
  try {
    const options = { signal, timeoutMs: PATIENCE_MS };
    const owner = client.account.get(options);
    const reason = await owner.then(() => undefined, commonFailure);
    if (reason !== undefined) return [reason, clock(date)];
    const rights = Object.entries(readsOf(client, options)).map(([check, read]) => checkRight(check, read));
    const marks = new Set(resources.map(({ outputs }) => outputs[ACCOUNT]).filter((mark) => typeof mark === "string"));
    const findings = await Promise.all([account(owner, settings, marks), ...rights, graphql(client, options)]);
    return [...findings, await queue(client, options), ...(await gates(client, options, resources)), clock(date)];
  } finally {
    await client.close();
  }
}

/** A finding for an error that every other call would also meet; undefined for any other error. */
function commonFailure(error: unknown): Finding | undefined {
  if (error instanceof AuthenticationError) return failure("key", error);
  const neverSent = [UsageError, ConnectionError, TimeoutError].some((kind) => error instanceof kind);
  return neverSent ? failure("service", error) : undefined;
}

/** By area of access rights: a cheap read that shows whether the key has it. */
export function readsOf(client: Client, options: CallOptions): Readonly<Record<string, () => Promise<unknown>>> {
  const { kinds } = require("../../provider/resources/order") as typeof import("../../provider/resources/order");
  const lists = Object.values(kinds).flatMap(({ noun, list, adoption }) =>
    list === undefined || (adoption !== "none" && adoption.listedWith !== undefined)
      ? []
      : [[areaOf(noun), () => list({ client }, options)] as const],
  );
  return {
    ...Object.fromEntries(lists),
    [areaOf("GpuType")]: () => client.catalog.gpus({}, options),
    [areaOf("Billing")]: () => client.billing.summary({ lastN: 1 }, options),
  };
}

/** The key's account, and whether the stack's resources are in it. A run without changes does not check that. */
async function account(
  owner: Promise<Account>,
  { allowedAccounts: allowed }: Settings,
  recorded: ReadonlySet<string>,
): Promise<Finding> {
  const check = "account";
  try {
    const { id, email } = await owner;
    const mark = markOf(id);
    const identity = `${[id, email].filter(Boolean).join(", ")}; in states ${mark}`;
    if (allowed.length > 0 && !allowed.includes(id) && !allowed.includes(mark)) {
      const fix = `use a key of a listed account, or add it: pulumi config set --path 'computecloud:allowedAccounts[${allowed.length}]' ${id}`;
      return failed(check, `${identity}, which allowedAccounts does not list`, fix);
    }
    if (recorded.size === 0 || recorded.has(mark)) return ok(check, identity);
    const recordedAccounts = [...recorded].join(", ");
    const fix = "use a key of that account: docs/configuration.md, 'Whose account it is'";
    return failed(check, `${identity}, and the stack's resources are in ${recordedAccounts}`, fix);
  } catch (error) {
    if (!mayNotAsk(error)) return failure(check, error);
    const fix = "give the key read access to the account; without it, a key of another account goes unnoticed";
    return hint(check, "the key may not read the account", fix);
  }
}

async function checkRight(check: string, read: () => Promise<unknown>): Promise<Finding> {
  try {
    await read();
    return ok(check, "readable");
  } catch (error) {
    if (!(error instanceof PermissionError)) return failure(check, error);
    const needed = error.scope ?? "more rights";
    const fix = `fine if the program declares none of these; otherwise give the key ${needed}: docs/configuration.md`;
    return hint(check, "the key may not read it", fix);
  }
}

/** Whether GraphQL answers, and which endpoints of the account still need it. */
async function graphql(client: Client, options: CallOptions): Promise<Finding> {
  const check = "GraphQL";
  let endpoints: readonly SavedEndpoint[] = [];
  const finding = await checkRight(check, async () => {
    endpoints = await client.endpoints.list(options);
  });
  if (finding.result !== "ok") return finding;
  if (client.endpoints.through() === "rest") return ok(check, "not used: serverless endpoints go through REST");
  const inCountries = endpoints.filter(({ dataCenterIds = [] }) => countriesIn(dataCenterIds).length > 0);
  const description = "readable; the service ends it early in 2027, and endpoints then go through REST";
  if (inCountries.length === 0) return ok(check, description);
  const names = inCountries.slice(0, MOST_NAMES).map(({ id, name }) => name ?? id);
  const others = inCountries.length > names.length ? ", …" : "";
  return hint(
    check,
    `${description}. ${inCountries.length} of ${endpoints.length} endpoints need it for countries in locations: ${names.join(", ")}${others}`,
    "list data centers in their locations: docs/end-of-graphql.md",
  );
}

/** Asks for an endpoint that does not exist. A 404 shows that the address answers and the key is accepted. */
async function queue(client: Client, options: CallOptions): Promise<Finding> {
  try {
    await client.queue("doctor").health(options);
  } catch (error) {
    if (error instanceof PermissionError) return { check: "queue", result: "hint", found: "the key may not use it" };
    if (!(error instanceof NotFoundError)) return failure("queue", error);
  }
  return ok("queue", "answers");
}

/** Whether the stack's smoke jobs and requests can be taken by the endpoints that they try. */
async function gates(client: Client, options: CallOptions, resources: Recorded): Promise<Finding[]> {
  const check = "gates";
  const recorded = resources.flatMap(({ urn, type, outputs }) => {
    const kind = kindOf(type);
    const isGate = kind === "SmokeJob" || (kind === "SmokeRequest" && outputs.chat === undefined);
    const { endpointId: id, path } = outputs;
    return isGate && typeof id === "string" ? [{ kind, urn, id, path }] : [];
  });
  if (recorded.length === 0) return [];
  try {
    const types = new Map((await client.serverless.list(options)).map(({ id, type }) => [id, type]));
    const misfits = recorded.flatMap(({ kind, urn, id, path }) => {
      const type = types.get(id);
      const isOnBalancer = type === "LOAD_BALANCER";
      const fits = kind === "SmokeJob" ? !isOnBalancer : isOnBalancer || String(path).startsWith("/openai/");
      return type === undefined || fits ? [] : [`${nameOfUrn(urn)} on ${id}`];
    });
    if (misfits.length === 0) return [ok(check, `fit the types of their endpoints: ${recorded.length}`)];
    const fix =
      "a load balancer takes a SmokeRequest; a queue a SmokeJob, a `chat`, or requests below /openai/: docs/models-and-servers.md";
    return [failed(check, `do not fit the types of their endpoints: ${misfits.join(", ")}`, fix)];
  } catch (error) {
    return error instanceof PermissionError ? [] : [failure(check, error)];
  }
}

function clock(date: unknown): Finding {
  const serviceTime = Date.parse(String(date));
  if (Number.isNaN(serviceTime)) return { check: "clock", result: "hint", found: "the service sent no date" };
  const aheadMs = Date.now() - serviceTime;
  if (Math.abs(aheadMs) <= TOLERATED_MS) return ok("clock", "agrees with the service's");
  const offset = `${inSeconds(Math.abs(aheadMs))} ${aheadMs > 0 ? "ahead of" : "behind"} the service's`;
  return failed("clock", offset, "set this machine's clock; certificates and waits depend on it");
}

/** @returns whether the command succeeded, what it printed, and otherwise the message of its error */
async function ask(args: readonly string[], interrupt: AbortSignal) {
  const signal = AbortSignal.any([interrupt, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const { exitCode, stdout, stderr } = await runPulumi(args, { signal });
    const words = (stderr.trim() || stdout.trim()).split("\n");
    const problem = words.find((line) => line.startsWith("error: "))?.slice("error: ".length) ?? words[0] ?? "";
    return { isDone: exitCode === 0, stdout, problem: withoutPasswords(problem) };
  } catch (error) {
    interrupt.throwIfAborted();
    const problem = error instanceof NoPulumiError ? NoPulumiError.problem : messageOf(error);
    return { isDone: false, stdout: "", problem };
  }
}
