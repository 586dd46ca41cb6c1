import type { Command } from "@commander-js/extra-typings";
import { type Client, ComputeCloudError } from "../../client";
import { inSeconds } from "../../common/duration";
import { parseJson } from "../../common/json";
import { messageOf } from "../../common/messageOf";
import { printable } from "../../common/printable";
import { z } from "../../common/zod";
import { inWords } from "../../provider/lifecycle/fields/zodMessages";
import {
  CREDENTIALS_RULE,
  hasCredentials,
  inputProblem,
  requestMistakes,
  requestValue,
} from "../../provider/resources/serverless/smokeFields";
import {
  type Bounds,
  GateError,
  issuesText,
  type Judged,
  measured as jobFigures,
  readBounds,
  tableOf,
} from "../../provider/smoke/bounds";
import { type Expectation, expectation, schemaProblem } from "../../provider/smoke/expectation";
import { runGate } from "../../provider/smoke/measure";
import { RequestError } from "../../provider/smoke/requestError";
import { readRequestBounds, requestFigures, runRequestGate } from "../../provider/smoke/requestGate";
import type { SmokePlan } from "../../provider/smoke/runSmoke";
import { SmokeError } from "../../provider/smoke/smokeError";
import { finished, finishedJobs, judgeFailures, MoreFailuresError } from "../../provider/smoke/watch";
import { readJson } from "../input";
import { exitCodes, explain, jsonOption, Progress, print, printJson, report } from "../output";
import { time, timeOption, wholeNumber } from "../values";
import { withClient } from "../withClient";
import { refuseLoadBalancer } from "./refuseLoadBalancer";

export function smoke(command: Command): void {
  explain(command, {
    examples: [
      `smoke 4kqwe7f0 --input '{"prompt":"ping"}' --timeout 3m`,
      "smoke 4kqwe7f0 --input job.json --expect expect.json --json",
      `smoke 4kqwe7f0 --input job.json --gate '{"jobs":20,"concurrency":4,"execution":{"p95":"2s"}}'`,
      "smoke 4kqwe7f0 --input job.json --gate gate.json --before before.json --watch 30m",
      `smoke 9xvb2m1c --chat "Say hello" --gate '{"requests":5,"firstToken":{"p95":"500ms"}}'`,
      `smoke 9xvb2m1c --request '{"path":"/predict","body":{"text":"ping"},"expect":{"status":200}}'`,
    ],
    fails:
      "the job or request failed, took too long, had an unexpected result or broke a bound, or more jobs of users fail than before",
    connects: true,
  });
  withOptions(command).action(show);
}

const withOptions = (command: Command) =>
  command
    .argument("<endpointId>", "the endpoint's id; for a request also an address, which never gets the account's key")
    .option("--input <file|json>", "a job: its input, as JSON or as a file of it")
    .option("--expect <file|json>", 'what the output must be: {"output": partial value} or {"schema": JSON Schema}')
    .option(
      "--request <file|json>",
      "in place of a job a request, with arguments of a SmokeRequest: path, method, headers, body, expect, chat, model",
    )
    .option("--chat <text>", "in place of a job a question to a language model: short for --request '{\"chat\": …}'")
    .addOption(timeOption(command, "--timeout <duration>", "how long it may take in all", "5m"))
    .option("--retries <n>", "how often to try again after a failure", wholeNumber("--retries"), 0)
    .option(
      "--gate <file|json>",
      "bounds of a SmokeJob, such as jobs, delay, execution, gpu, cost; or of a SmokeRequest, such as requests, firstToken, total, rate",
    )
    .option(
      "--watch <duration>",
      "go on for so long, and compare the share of failed jobs with before",
      time("--watch"),
    )
    .addOption(timeOption(command, "--every <duration>", "with --watch: how often", "1m"))
    .option(
      "--before <file>",
      "what `smoke --json` printed before a change: its measurements, for notSlowerThan.last, and its counts of jobs",
    )
    .option(...jsonOption);

type SmokeOptions = ReturnType<ReturnType<typeof withOptions>["opts"]>;

async function show(endpointId: string, options: SmokeOptions): Promise<void> {
  const { json } = options;
  try {
    const { line, judged, ...passed } = await run(endpointId, options);
    if (json) printJson({ passed: true, ...passed, judged });
    else print(judged.length === 0 ? line : `${line}\n${tableOf(judged)}`);
  } catch (error) {
    const failed = [SmokeError, RequestError, GateError, MoreFailuresError].some((kind) => error instanceof kind);
    if (!json && !failed) throw error;
    if (json) printJson({ passed: false, ...documentOf(error, endpointId) });
    // What could not run says so on standard error, too.
    if (!json || !failed) report(messageOf(error));
    process.exitCode = failed ? exitCodes.failed : exitCodes.couldNotRun;
  }
}

/** Shows that an endpoint serves, by a job or by a request. */
type Trial = (client: Client, signal: AbortSignal) => Promise<Passed>;

interface Passed {
  readonly line: string;
  readonly measured: object;
  readonly judged: readonly Judged[];
}

async function run(endpointId: string, options: SmokeOptions) {
  const before = options.before === undefined ? undefined : readBefore(await readJson(options.before));
  const progress = new Progress(options.json ?? false);
  const asks = [options.input, options.request, options.chat].filter((option) => option !== undefined);
  if (asks.length !== 1) throw new Error("smoke needs exactly one of --input, --request and --chat");
  const { input, watch, every, json } = options;
  const trial =
    input === undefined
      ? await request(endpointId, options, before?.measured, progress)
      : await job(endpointId, { ...options, input }, before?.measured, progress);
  try {
    return await withClient(async (client, signal) => {
      const ends = performance.now() + (watch ?? 0);
      // Only a queue counts the jobs of users.
      const counted = () => (input === undefined ? undefined : finishedJobs(client, endpointId, signal));
      const first = watch === undefined ? undefined : await counted();
      for (;;) {
        const passed = await trial(client, signal);
        const finished = first || json ? await counted() : undefined;
        if (first && finished) judgeFailures(endpointId, before?.finished ?? first, first, finished);
        const leftMs = ends - performance.now();
        if (leftMs <= 0) return { endpointId, ...passed, finished };
        progress.show(`Watching endpoint ${endpointId}`, `for another ${inSeconds(leftMs)}`);
        await client.clock.sleep(Math.min(every, leftMs), signal);
      }
    });
  } finally {
    progress.end();
  }
}

async function job(
  endpointId: string,
  { timeout: timeoutMs, retries, ...options }: SmokeOptions & { input: string },
  before: unknown,
  progress: Progress,
): Promise<Trial> {
  const input = await jsonOf("--input", options.input);
  const problem = inputProblem(input);
  if (problem !== undefined) throw new Error(`--input ${problem}`);
  const expect = options.expect === undefined ? undefined : readExpectation(await jsonOf("--expect", options.expect));
  const bounds: Bounds = options.gate === undefined ? {} : readBounds(await jsonOf("--gate", options.gate));
  const onProgress: SmokePlan["onProgress"] = ({ id, status }, elapsed) =>
    progress.show(`Smoke job ${id} on endpoint ${endpointId}: ${status}`, `for ${inSeconds(elapsed)}`);
  return async (client, signal) => {
    const plan = { endpointId, input, expect, timeoutMs, retries, signal, onProgress };
    await refuseLoadBalancer(client, endpointId, signal);
    const { job, measured, judged } = await runGate(client, plan, bounds, before);
    const { id: jobId, status, delayTime = 0, executionTime = 0, output } = job;
    const jobs = measured.jobs === 1 ? `Smoke job ${jobId} passed` : `${measured.jobs} smoke jobs passed; the last one`;
    const gpus = Object.keys(measured.gpus ?? {});
    const place = gpus.length === 0 ? "" : `, on ${gpus.join(", ")}`;
    const line = `${jobs}: waited ${delayTime} ms, ran ${executionTime} ms${place}`;
    return { line, jobId, status, delayTime, executionTime, output, measured, judged };
  };
}

async function request(
  target: string,
  { timeout: timeoutMs, retries, chat, ...options }: SmokeOptions,
  before: unknown,
  progress: Progress,
): Promise<Trial> {
  if (options.expect !== undefined) throw new Error("--expect is for a job: give `expect` in --request");
  const value = options.request === undefined ? { chat } : await jsonOf("--request", options.request);
  const declared = requestValue.safeParse(value, { error: inWords });
  const bounds = options.gate === undefined ? {} : readRequestBounds(await jsonOf("--gate", options.gate));
  const mistakes = declared.success
    ? requestMistakes({ ...declared.data, ...bounds }).map(({ property, reason }) => `${property} ${reason}`)
    : [issuesText(declared.error)];
  if (!declared.success || mistakes.length > 0) throw new Error(`--request: ${mistakes.join("; ")}`);
  const isAddress = /^https?:\/\//i.test(target);
  if (isAddress && !URL.canParse(target)) throw new Error("The address can't be read.");
  if (isAddress && hasCredentials(target)) throw new Error(`The address ${CREDENTIALS_RULE}.`);
  const onProgress = (text: string, elapsed: number) => progress.show(text, `for ${inSeconds(elapsed)}`);
  return async (client, signal) => {
    const address = isAddress ? { url: target } : { endpointId: target };
    const plan = { ...declared.data, address, timeoutMs, retries, signal, onProgress };
    const { reply, measured, judged } = await runRequestGate(client, plan, undefined, bounds, before);
    const { status, text: answer, model, firstTokenMs, totalMs, perSecond } = reply;
    const figures = [
      ...(firstTokenMs === undefined ? [] : [`first token after ${Math.round(firstTokenMs)} ms`]),
      `end after ${Math.round(totalMs)} ms`,
      ...(perSecond === undefined
        ? []
        : [`${Math.round(perSecond)} ${model === undefined ? "events" : "tokens"} a second`]),
    ];
    const requests = measured.requests === 1 ? "The request" : `${measured.requests} requests; the last one`;
    const line = `${requests} was answered with ${status}${model === undefined ? "" : ` by ${printable(model)}`}: ${figures.join(", ")}`;
    return { line, status, answer, model, measured, judged };
  };
}

const beforeChange = z.object({
  passed: z.boolean(),
  measured: z.union([jobFigures, requestFigures]).optional(),
  finished: finished.optional(),
});

function readBefore(value: unknown): z.output<typeof beforeChange> {
  const result = beforeChange.safeParse(value);
  if (result.success) return result.data;
  throw new Error(`--before is not what \`smoke --json\` prints: ${z.prettifyError(result.error)}`);
}

/** The text parsed as JSON; if it is not JSON, the JSON of the file with that name. */
async function jsonOf(option: string, text: string): Promise<unknown> {
  const value = parseJson(text);
  if (value !== undefined) return value;
  try {
    return await readJson(text);
  } catch (error) {
    throw new Error(`${option} is not JSON, nor a file of it: ${messageOf(error)}`, { cause: error });
  }
}

function readExpectation(value: unknown): Expectation {
  const result = expectation.safeParse(value, { error: inWords });
  const problem = result.success
    ? result.data.schema !== undefined && schemaProblem(result.data.schema)
    : issuesText(result.error);
  if (result.success && !problem) return result.data;
  throw new Error(
    `--expect: ${problem}. It takes {"output": …} for a partial value or {"schema": …} for a JSON Schema.`,
  );
}

function documentOf(error: unknown, endpointId: string): object {
  if (error instanceof GateError) {
    const { measured, judged } = error;
    return { endpointId, reason: "a bound is not kept", measured, judged };
  }
  if (error instanceof RequestError) return { endpointId, reason: error.reason, ...error.failure };
  if (error instanceof SmokeError) {
    const { endpointId, jobId, job, attempts, mismatches, diagnosis } = error.failure;
    const { status, delayTime, executionTime, output, error: jobError } = job ?? {};
    const facts = { endpointId, jobId, status, delayTime, executionTime, output, attempts };
    return { ...facts, reason: error.reason, error: jobError, mismatches, ...diagnosis };
  }
  const message = messageOf(error);
  const name = error instanceof Error ? error.name : undefined;
  const status = error instanceof ComputeCloudError && { httpStatus: error.status };
  return { reason: message, ...status, error: { name, message, ...status } };
}
