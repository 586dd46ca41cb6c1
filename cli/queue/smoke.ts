import type { Command } from "@commander-js/extra-typings";
import { z } from "zod";
import { ComputeCloudError } from "../../client";
import { inSeconds } from "../../common/duration";
import { parseJson } from "../../common/json";
import { messageOf } from "../../common/messageOf";
import { printable } from "../../common/printable";
import { inputProblem } from "../../provider/resources/serverless/smokeFields";
import {
  type Bounds,
  GateError,
  judge,
  measured as measuredBefore,
  readBounds,
  tableOf,
} from "../../provider/smoke/bounds";
import { type Expectation, expectation, schemaProblem } from "../../provider/smoke/expectation";
import { runGate } from "../../provider/smoke/measure";
import type { SmokePlan } from "../../provider/smoke/runSmoke";
import { SmokeError } from "../../provider/smoke/smokeError";
import { finished, finishedJobs, judgeFailures, MoreFailuresError } from "../../provider/smoke/watch";
import { explain, jsonOption } from "../help";
import { readJson } from "../input";
import { exitCodes, print, printJson } from "../output";
import { Progress } from "../progress";
import { time, timeOption, wholeNumber } from "../values";
import { withClient } from "../withClient";

export function smoke(command: Command): void {
  explain(command, {
    examples: [
      `smoke 4kqwe7f0 --input '{"prompt":"ping"}' --timeout 3m`,
      "smoke 4kqwe7f0 --input job.json --expect expect.json --json",
      `smoke 4kqwe7f0 --input job.json --gate '{"jobs":20,"concurrency":4,"execution":{"p95":"2s"}}'`,
      "smoke 4kqwe7f0 --input job.json --gate gate.json --before before.json --watch 30m",
    ],
    fails:
      "the job failed, took too long, returned an unexpected output or broke a bound, or more jobs of users fail than before",
    connects: true,
  });
  command
    .argument("<endpointId>", "the endpoint's id")
    .requiredOption("--input <file|json>", "the job's input, as JSON or as a file of it")
    .option("--expect <file|json>", 'what the output must be: {"output": partial value} or {"schema": JSON Schema}')
    .addOption(timeOption(command, "--timeout <duration>", "how long it may take in all", "5m"))
    .option("--retries <n>", "how often to try again after a failure", wholeNumber("--retries"), 0)
    .option(
      "--gate <file|json>",
      "bounds of a SmokeJob, such as jobs, concurrency, coldStart, delay, execution, gpu, cost, notSlowerThan, liveEndpointId",
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
    .option(...jsonOption)
    .action(show);
}

interface SmokeOptions {
  readonly input: string;
  readonly expect?: string;
  readonly timeout: number;
  readonly retries: number;
  readonly gate?: string;
  readonly watch?: number;
  readonly every: number;
  readonly before?: string;
  readonly json?: true;
}

async function show(endpointId: string, options: SmokeOptions): Promise<void> {
  const { json } = options;
  try {
    const passed = await run(endpointId, options);
    if (json) printJson({ passed: true, ...passed });
    else {
      const { jobId, delayTime = 0, executionTime = 0, measured, judged } = passed;
      const jobs =
        measured.jobs === 1 ? `Smoke job ${jobId} passed` : `${measured.jobs} smoke jobs passed; the last one`;
      const table = judged.length === 0 ? "" : `\n${tableOf(judged)}`;
      print(`${jobs}: waited ${delayTime} ms, ran ${executionTime} ms${ranOn(measured.gpus)}${table}`);
    }
  } catch (error) {
    const failed = error instanceof SmokeError || error instanceof GateError || error instanceof MoreFailuresError;
    if (!json && !failed) throw error;
    if (json) printJson({ passed: false, ...documentOf(error) });
    else process.stderr.write(`${printable(String(error instanceof Error ? error.message : error))}\n`);
    process.exitCode = failed ? exitCodes.failed : exitCodes.couldNotRun;
  }
}

async function run(endpointId: string, options: SmokeOptions) {
  const input = await jsonOf("--input", options.input);
  const problem = inputProblem(input);
  if (problem !== undefined) throw new Error(`--input ${problem}`);
  const expect = options.expect === undefined ? undefined : readExpectation(await jsonOf("--expect", options.expect));
  const bounds: Bounds = options.gate === undefined ? {} : readBounds(await jsonOf("--gate", options.gate));
  const before = options.before === undefined ? {} : readBefore(await readJson(options.before));
  const progress = new Progress(options.json ?? false);
  const onProgress: SmokePlan["onProgress"] = ({ id, status }, elapsed) =>
    progress.show(`Smoke job ${id} on endpoint ${endpointId}: ${status}`, `for ${inSeconds(elapsed)}`);
  const { timeout: timeoutMs, retries, watch, every, json } = options;
  try {
    return await withClient(async (client, signal) => {
      const plan = { endpointId, input, expect, timeoutMs, retries, signal, onProgress };
      const ends = performance.now() + (watch ?? 0);
      const first = watch === undefined ? undefined : await finishedJobs(client, endpointId, signal);
      for (;;) {
        const { job, measured } = await runGate(client, plan, bounds, before.measured);
        const finished = first || json ? await finishedJobs(client, endpointId, signal) : undefined;
        if (first && finished) judgeFailures(endpointId, before.finished ?? first, first, finished);
        const leftMs = ends - performance.now();
        if (leftMs > 0) {
          progress.show(`Watching endpoint ${endpointId}`, `for another ${inSeconds(leftMs)}`);
          await client.clock.sleep(Math.min(every, leftMs), signal);
          continue;
        }
        const { id: jobId, status, delayTime, executionTime, output } = job;
        const judged = judge(bounds, measured, before.measured);
        return { endpointId, jobId, status, delayTime, executionTime, output, measured, judged, finished };
      }
    });
  } finally {
    progress.end();
  }
}

const beforeChange = z.object({ measured: measuredBefore.optional(), finished: finished.optional() });

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
  const result = expectation.safeParse(value);
  const problem = result.success
    ? result.data.schema !== undefined && schemaProblem(result.data.schema)
    : result.error.issues.map(({ message }) => message).join("; ");
  if (result.success && !problem) return result.data;
  throw new Error(
    `--expect: ${problem}. It takes {"output": …} for a partial value or {"schema": …} for a JSON Schema.`,
  );
}

function ranOn(gpus: Readonly<Record<string, number>> = {}): string {
  const types = Object.keys(gpus);
  return types.length === 0 ? "" : `, on ${types.join(", ")}`;
}

function documentOf(error: unknown): object {
  if (error instanceof GateError) {
    const { endpointId, measured, judged } = error;
    return { endpointId, reason: "a bound is not kept", measured, judged };
  }
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
