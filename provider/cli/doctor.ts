import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Command } from "@commander-js/extra-typings";
import { nodeProblem } from "../../requireNode";
import {
  type CallOptions,
  type Client,
  createClient,
  NotFoundError,
  PermissionError,
  type ResponseEvent,
} from "../client";
import { fromEnvironment, SettingsReader } from "../client/settings";
import { explain, jsonOption } from "./help";
import { exitCodes, print, printJson } from "./output";
import { interruptible } from "./withClient";

const { version } = require("pulumi-computecloud/package.json") as { version: string };

interface Finding {
  readonly check: string;
  /** `hint`: what works, and what to know of it. */
  readonly result: "ok" | "hint" | "failed";
  readonly found: string;
  /** What to do. */
  readonly fix?: string;
}

/** How far this machine's clock may be from the service's. */
const TOLERATED_MS = 60_000;
const PATIENCE_MS = 15_000;
const PROXIES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

export function doctor(command: Command): void {
  explain(command, { examples: ["doctor", "doctor --json"], fails: "something has to be mended", connects: true });
  command
    .description("Checks what a deployment needs, and says what to do about what is missing. Changes nothing.")
    .option(...jsonOption)
    .action(async ({ json }) => {
      const findings = await interruptible(async (signal) => [
        node(),
        await engine(),
        await plugin(),
        await backend(),
        proxy(),
        ...(await service(signal)),
      ]);
      if (json) printJson(findings);
      else for (const finding of findings) print(lineOf(finding));
      process.exitCode = findings.some(({ result }) => result === "failed") ? exitCodes.failed : exitCodes.done;
    });
}

const MARKS = { ok: "ok    ", hint: "note  ", failed: "FAILED" } as const;

function lineOf({ check, result, found, fix }: Finding): string {
  const line = `${MARKS[result]}  ${check.padEnd(13)}${found}`;
  return fix === undefined ? line : `${line}\n${" ".repeat(21)}-> ${fix}`;
}

function node(): Finding {
  const problem = nodeProblem();
  return problem === undefined
    ? { check: "Node", result: "ok", found: process.versions.node }
    : { check: "Node", result: "failed", found: process.versions.node, fix: problem };
}

async function engine(): Promise<Finding> {
  const said = await pulumi(["version"]);
  return said.ok
    ? { check: "engine", result: "ok", found: `pulumi ${said.text}` }
    : { check: "engine", result: "failed", found: "pulumi is not on PATH", fix: "install the Pulumi CLI" };
}

async function plugin(): Promise<Finding> {
  const said = await pulumi(["plugin", "ls", "--json"]);
  const installed =
    said.ok && pluginsIn(said.text).some((each) => each.name === "computecloud" && each.version === version);
  return installed
    ? { check: "plugin", result: "ok", found: version }
    : {
        check: "plugin",
        result: "hint",
        found: `${version} is not installed; TypeScript programs do it by themselves`,
        fix: "for other languages: npx pulumi-computecloud plugin install",
      };
}

function pluginsIn(text: string): readonly { name?: unknown; version?: unknown }[] {
  const list: unknown = JSON.parse(text);
  return Array.isArray(list) ? list : [];
}

async function backend(): Promise<Finding> {
  const said = await pulumi(["whoami", "--verbose", "--non-interactive"]);
  const where = /Backend URL: *(\S+)/.exec(said.text)?.[1];
  return said.ok && where !== undefined
    ? { check: "backend", result: "ok", found: where }
    : {
        check: "backend",
        result: "failed",
        found: "there is no place for the states of stacks",
        fix: "pulumi login, or PULUMI_BACKEND_URL; `pulumi login --local` keeps them on this machine",
      };
}

function proxy(): Finding {
  const set = PROXIES.filter((name) => process.env[name]);
  if (set.length === 0) return { check: "proxy", result: "ok", found: "none" };
  const wrong = set.find((name) => !/^https?:\/\//.test(process.env[name] ?? ""));
  return wrong === undefined
    ? { check: "proxy", result: "ok", found: set.join(", ") }
    : { check: "proxy", result: "failed", found: `${wrong} has no scheme`, fix: "write it as http://host:port" };
}

/** The key, the three addresses, what the key may read, and the service's time. */
async function service(signal: AbortSignal): Promise<Finding[]> {
  let client: Client;
  let date: unknown;
  const onResponse = ({ headers }: ResponseEvent) => {
    date = headers.date;
  };
  try {
    client = createClient({
      ...new SettingsReader(fromEnvironment).connection(),
      retryBudgetMs: PATIENCE_MS,
      onResponse,
    });
  } catch (error) {
    return [{ check: "settings", result: "failed", found: messageOf(error) }];
  }
  try {
    const options = { signal, timeoutMs: PATIENCE_MS };
    const reads: readonly (readonly [string, () => Promise<unknown>])[] = [
      ["templates", () => client.templates.list(options)],
      ["pods", () => client.pods.list(options)],
      ["clusters", () => client.clusters.list(options)],
      ["serverless", () => client.serverless.list(options)],
      ["volumes", () => client.networkVolumes.list(options)],
      ["registries", () => client.registries.list(options)],
      ["catalog", () => client.catalog.gpus({}, options)],
      ["billing", () => client.billing.summary({ lastN: 1 }, options)],
      ["GraphQL", () => client.endpoints.list(options)],
    ];
    const rights = await Promise.all(reads.map(([check, read]) => right(check, read)));
    return [...rights, await queue(client, options), clock(date)];
  } finally {
    await client.close();
  }
}

async function right(check: string, read: () => Promise<unknown>): Promise<Finding> {
  try {
    await read();
    return { check, result: "ok", found: "readable" };
  } catch (error) {
    if (!(error instanceof PermissionError)) return { check, result: "failed", found: messageOf(error) };
    const fix = "enough where nothing of it is declared; else give the key more rights: docs/configuration.md";
    return { check, result: "hint", found: "the key may not read it", fix };
  }
}

/** An endpoint that does not exist: an address that says so is the queue's. */
async function queue(client: Client, options: CallOptions): Promise<Finding> {
  try {
    await client.queue("doctor").health(options);
  } catch (error) {
    if (error instanceof PermissionError) return { check: "queue", result: "hint", found: "the key may not use it" };
    if (!(error instanceof NotFoundError)) return { check: "queue", result: "failed", found: messageOf(error) };
  }
  return { check: "queue", result: "ok", found: "answers" };
}

function clock(date: unknown): Finding {
  const theirs = Date.parse(String(date));
  if (Number.isNaN(theirs)) return { check: "clock", result: "hint", found: "the service told no time" };
  const aheadMs = Date.now() - theirs;
  if (Math.abs(aheadMs) <= TOLERATED_MS) return { check: "clock", result: "ok", found: "agrees with the service's" };
  const found = `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? "ahead of" : "behind"} the service's`;
  return {
    check: "clock",
    result: "failed",
    found,
    fix: "set this machine's clock; certificates and waits depend on it",
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const exec = promisify(execFile);

async function pulumi(args: readonly string[]): Promise<{ ok: boolean; text: string }> {
  try {
    const { stdout } = await exec("pulumi", args, { timeout: PATIENCE_MS });
    return { ok: true, text: stdout.trim() };
  } catch {
    return { ok: false, text: "" };
  }
}
