import type { Command } from "@commander-js/extra-typings";
import { ComputeCloudError } from "../client";
import { messageOf } from "../client/text/messageOf";
import { printable } from "../client/text/printable";
import { inSeconds, milliseconds } from "../client/values/duration";
import { parseJson } from "../client/values/json";
import { inputProblem } from "../resources/smokeFields";
import { type Expectation, expectation, schemaProblem } from "../smoke/expectation";
import { runSmoke } from "../smoke/runSmoke";
import { SmokeError } from "../smoke/smokeError";
import { explain, jsonOption } from "./help";
import { readJson } from "./input";
import { exitCodes, print, printJson } from "./output";
import { Progress } from "./progress";
import { time, wholeNumber } from "./values";
import { withClient } from "./withClient";

export function smoke(command: Command): void {
  explain(command, {
    examples: [
      `smoke 4kqwe7f0 --input '{"prompt":"ping"}' --timeout 3m`,
      "smoke 4kqwe7f0 --input job.json --expect expect.json --json",
    ],
    fails: "the job failed, took too long or returned an unexpected output",
    connects: true,
  });
  command
    .argument("<endpointId>", "the endpoint's id")
    .requiredOption("--input <file|json>", "the job's input, as JSON or as a file of it")
    .option("--expect <file|json>", 'what the output must be: {"output": partial value} or {"schema": JSON Schema}')
    .addOption(
      command
        .createOption("--timeout <duration>", "how long it may take in all")
        .argParser(time("--timeout"))
        .default(milliseconds("5m"), "5m"),
    )
    .option("--retries <n>", "how often to try again after a failure", wholeNumber("--retries"), 0)
    .option(...jsonOption)
    .action(show);
}

interface SmokeOptions {
  readonly input: string;
  readonly expect?: string;
  readonly timeout: number;
  readonly retries: number;
  readonly json?: true;
}

async function show(endpointId: string, options: SmokeOptions): Promise<void> {
  const { json } = options;
  try {
    const passed = await run(endpointId, options);
    if (json) printJson({ passed: true, ...passed });
    else
      print(
        `Smoke job ${passed.jobId} passed: waited ${passed.delayTime ?? 0} ms, ran ${passed.executionTime ?? 0} ms`,
      );
  } catch (error) {
    if (!json && !(error instanceof SmokeError)) throw error;
    if (json) printJson({ passed: false, ...documentOf(error) });
    else process.stderr.write(`${printable(String(error instanceof Error ? error.message : error))}\n`);
    process.exitCode = error instanceof SmokeError ? exitCodes.failed : exitCodes.couldNotRun;
  }
}

async function run(endpointId: string, options: SmokeOptions) {
  const input = await jsonOf("--input", options.input);
  const problem = inputProblem(input);
  if (problem !== undefined) throw new Error(`--input ${problem}`);
  const expect = options.expect === undefined ? undefined : readExpectation(await jsonOf("--expect", options.expect));
  const progress = new Progress(options.json ?? false);
  try {
    const job = await withClient((client, signal) =>
      runSmoke(client, {
        endpointId,
        input,
        expect,
        timeoutMs: options.timeout,
        retries: options.retries,
        signal,
        onProgress: ({ id, status }, elapsed) =>
          progress.show(`Smoke job ${id} on endpoint ${endpointId}: ${status}`, `for ${inSeconds(elapsed)}`),
      }),
    );
    const { id: jobId, status, delayTime, executionTime, output } = job;
    return { endpointId, jobId, status, delayTime, executionTime, output };
  } finally {
    progress.end();
  }
}

/** What the text says as JSON, else what the file of that name says. */
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

function documentOf(error: unknown): object {
  if (error instanceof SmokeError) {
    const { endpointId, jobId, job, attempts, mismatches, diagnosis } = error.failure;
    const { status, delayTime, executionTime, output, error: jobError } = job ?? {};
    const facts = { endpointId, jobId, status, delayTime, executionTime, output, attempts };
    return { ...facts, reason: error.reason, error: jobError, mismatches, ...diagnosis };
  }
  const message = messageOf(error);
  return { reason: message, ...(error instanceof ComputeCloudError && { httpStatus: error.status }) };
}
