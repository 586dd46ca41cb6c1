import { readFile } from "node:fs/promises";
import { ComputeCloudError } from "../client";
import { milliseconds } from "../client/duration";
import { isRecord, parseJson } from "../client/json";
import { printable } from "../client/printable";
import { duration } from "../lifecycle/duration";
import { type Expectation, expectation, schemaProblem } from "../smoke/expectation";
import { runSmoke } from "../smoke/runSmoke";
import { SmokeError } from "../smoke/smokeError";
import { endpointArgs, withClient } from "./endpointCommand";
import { exitCodes, print, printJson } from "./output";
import { Progress } from "./progress";

const options = {
  input: { type: "string" },
  expect: { type: "string" },
  timeout: { type: "string", default: "5m" },
  retries: { type: "string", default: "0" },
  json: { type: "boolean", default: false },
} as const;

/** `pulumi-computecloud smoke`: 0 when the job passed, 1 when it did not, 2 when it could not be run. */
export async function smoke(argv: readonly string[]): Promise<number> {
  const json = argv.includes("--json");
  try {
    const passed = await run(argv);
    if (json) printJson({ passed: true, ...passed });
    else
      print(
        `Smoke job ${passed.jobId} passed: waited ${passed.delayTime ?? 0} ms, ran ${passed.executionTime ?? 0} ms`,
      );
    return exitCodes.done;
  } catch (error) {
    if (!json && !(error instanceof SmokeError)) throw error;
    if (json) printJson({ passed: false, ...documentOf(error) });
    else process.stderr.write(`${printable(String(error instanceof Error ? error.message : error))}\n`);
    return error instanceof SmokeError ? exitCodes.failed : exitCodes.couldNotRun;
  }
}

async function run(argv: readonly string[]) {
  const { values, endpointId } = endpointArgs(argv, options);
  if (values.input === undefined) throw new Error("--input is missing: the job's input, as JSON or as a file of it");
  const input = await jsonOf("--input", values.input);
  const expect = values.expect === undefined ? undefined : readExpectation(await jsonOf("--expect", values.expect));
  const retries = Number(values.retries);
  if (!/^\d+$/.test(values.retries)) throw new Error(`--retries takes a whole number, not "${values.retries}"`);
  if (!duration.safeParse(values.timeout).success) {
    throw new Error(`--timeout takes a duration such as 90s, 3m or 1h, not "${values.timeout}"`);
  }
  const progress = new Progress(values.json);
  try {
    const job = await withClient((client, signal) =>
      runSmoke(client, {
        endpointId,
        input,
        expect,
        timeoutMs: milliseconds(values.timeout),
        retries,
        signal,
        onProgress: ({ id, status }, elapsed) =>
          progress.show(`Smoke job ${id} on endpoint ${endpointId}: ${status}`, `for ${Math.round(elapsed / 1000)} s`),
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
  let content: string;
  try {
    content = await readFile(text, "utf8");
  } catch (error) {
    const code = isRecord(error) ? error.code : error;
    throw new Error(`${option} is neither JSON nor a file that can be read (${String(code)})`, { cause: error });
  }
  // Editors put a byte order mark before the text.
  const read = parseJson(content.replace(/^\uFEFF/, ""));
  if (read === undefined) throw new Error(`${option}: the file ${text} is not JSON`);
  return read;
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
  const message = error instanceof Error ? error.message : String(error);
  return { reason: message, ...(error instanceof ComputeCloudError && { httpStatus: error.status }) };
}
