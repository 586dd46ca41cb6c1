import { isEmptyInput, NotFoundError } from "../../../client";
import { inSeconds, milliseconds } from "../../../common/duration";
import { jsonOf, parseJson } from "../../../common/json";
import { z } from "../../../common/zod";
import type { CheckFailure, Context } from "../../lifecycle/definition";
import { computedWhenOmitted, control, duration, named, secret, timeout, trigger } from "../../lifecycle/fields/fields";
import { inWords } from "../../lifecycle/fields/zodMessages";
import { answerExpectation } from "../../smoke/answerExpectation";
import { type Bounds, issuesText } from "../../smoke/bounds";
import type { WorkerCounts } from "../../smoke/crashLoop";
import { expectation, schemaProblem } from "../../smoke/expectation";
import { type Passed, runGate } from "../../smoke/measure";
import { type Answered, type RequestBounds, type RequestGatePlan, runRequestGate } from "../../smoke/requestGate";
import type { SmokePlan } from "../../smoke/runSmoke";

/** JSON as text. The engine drops nulls from objects, and a job's input may need them. */
export function jsonText(problemOf: (value: unknown) => string | undefined) {
  return z.string().superRefine((text, context) => {
    const value = parseJson(text);
    const problem = value === undefined ? "is not JSON" : problemOf(value);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });
}

export function inputProblem(input: unknown): string | undefined {
  return isEmptyInput(input) ? "is empty: workers take no job without input" : undefined;
}

export function expectProblem(value: unknown): string | undefined {
  const result = expectation.safeParse(value, { error: inWords });
  if (!result.success) return issuesText(result.error);
  const problem = result.data.schema === undefined ? undefined : schemaProblem(result.data.schema);
  return problem && `schema is not a JSON Schema: ${problem}`;
}

export function answerProblem(value: unknown): string | undefined {
  const { error } = answerExpectation.safeParse(value, { error: inWords });
  return error && issuesText(error);
}

/** Whether an address has a user or a password: they would stand in it wherever it is shown, and are not sent. */
export function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

export const CREDENTIALS_RULE = "has credentials: give them in headers, such as authorization";

const PROOF_TIME = "Time for everything, cold start and further attempts included: `90s`, `5m`, `1h`.";
export const proofTime = duration.default("5m").describe(PROOF_TIME);

/** The arguments that a job and a request share: when they run again, for how long, and with which workers. */
export const provingFields = (texts: Readonly<Record<"repeats" | "isRepeated" | "retries" | "meanwhile", string>>) => ({
  triggers: trigger(z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).optional()).describe(
    `Values whose change ${texts.repeats} again, such as an image's digest. Default: none.`,
  ),
  endpointRevision: trigger(computedWhenOmitted(z.int().optional())).describe(
    `The endpoint's \`revision\`: ${texts.isRepeated} again when it changes. Default: none.`,
  ),
  timeout: timeout("5m").describe(PROOF_TIME),
  retries: control(z.int().min(0).default(0)).describe(texts.retries),
  workersMax: control(z.int().min(1).optional()).describe(
    `For an endpoint with a maximum of 0 workers: the maximum while ${texts.meanwhile}. Afterwards it is 0 again. ` +
      "Default: the endpoint's own maximum; 1 while its `schedule` sets 0 workers.",
  ),
});

/** The arguments of a request, apart from where it goes, its body and its expectation. */
export const requestFields = {
  path: z
    .string()
    .regex(/^\/[^#]*$/, 'must begin with a slash, such as "/predict"')
    .optional()
    .describe(
      "Path with its query, from the first slash on. With `chat`: the beginning of OpenAI's routes. Default: `/`, or all of " +
        "`url`; with `chat` `/v1`, of a queue `/openai/v1`.",
    ),
  method: named("RequestMethod", z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]))
    .optional()
    .describe("HTTP method. Default: POST with a `body`, else GET."),
  chat: z
    .string()
    .min(1)
    .optional()
    .describe(
      'What a language model is asked, such as "Say hello". The model that `GET …/models` lists gets it as a streamed chat ' +
        "completion, which must bring tokens and come to its end. Default: none.",
    ),
  model: z.string().min(1).optional().describe("The model for `chat`. Default: the first that is served."),
};

/** A request as a value: in a verification, a gate, on the command line. */
export const requestValue = z.strictObject({
  ...requestFields,
  headers: secret(z.record(z.string(), z.string()).optional()).describe(
    "Headers by name. No message shows their values. Default: none.",
  ),
  body: z
    .unknown()
    .optional()
    .describe(
      "JSON, or a text that is sent as it is. With `chat`: further members of its body, such as `{ max_tokens: 256 }`. " +
        "Default: none.",
    ),
  expect: named("AnswerExpectation", answerExpectation)
    .optional()
    .describe("What the answer must be. Default: any with a status from 200 to 299."),
  timeout: proofTime,
  retries: z
    .int()
    .min(0)
    .default(0)
    .describe("How often a request with an unexpected answer is sent again within `timeout`."),
});

export const provingRequest = named(
  "ProvingRequest",
  requestValue.describe("A request that shows whether an endpoint serves: arguments of a SmokeRequest."),
);

/**
 * Mistakes in a request and its bounds that their schemas can't find.
 *
 * @param type of the endpoint, where it is known
 * @param hasUnknownChat whether a preview does not know the `chat` yet
 */
export function requestMistakes(
  { chat, model, method, body, path, expect, firstToken }: Partial<z.output<typeof requestValue> & RequestBounds>,
  type?: string,
  hasUnknownChat = false,
): CheckFailure[] {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  const hasNoChat = chat === undefined && !hasUnknownChat;
  const mistakes: [property: string, reason: string | false][] = [
    ["model", model !== undefined && hasNoChat && "is for `chat` alone: set that, or name the model in `body`"],
    ["firstToken", firstToken !== undefined && hasNoChat && "is for `chat` alone: set that, or bound `firstByte`"],
    ["method", method !== undefined && chat !== undefined && "is not taken with `chat`, which is a POST; remove it"],
    [
      "body",
      chat !== undefined && body !== undefined && !isObject && "must be an object with `chat`: it adds to its body",
    ],
    [
      "body",
      body !== undefined && (method === "GET" || method === "HEAD") && `is not sent with ${method}; remove one of them`,
    ],
    [
      "expect",
      chat !== undefined && expect !== undefined && "json" in expect && "has json, which a `chat` streams: use text",
    ],
    [
      "path",
      isQueue(type) &&
        hasNoChat &&
        path?.startsWith("/openai/") !== true &&
        "must begin with /openai/ for a queue, which answers requests only there. Use a SmokeJob for its jobs",
    ],
  ];
  return mistakes.flatMap(([property, reason]) => (reason === false ? [] : [{ property, reason }]));
}

export const isLoadBalancer = (type: string | undefined): boolean => type === "LB" || type === "LOAD_BALANCER";
const isQueue = (type: string | undefined): boolean => type !== undefined && !isLoadBalancer(type);

/**
 * Longest output that the state keeps, in characters of JSON. The engine rewrites the whole state after every step, so a
 * large output would slow down each of them.
 */
const LARGEST_OUTPUT = 100_000;

/** The value, unless it is too large for the state. */
export function keepable(what: string, value: unknown, log: Context["log"]): unknown {
  const length = value === undefined ? 0 : jsonOf(value).length;
  if (length <= LARGEST_OUTPUT) return value;
  log.warn(`${what} of ${length} characters is not kept in the state; at most ${LARGEST_OUTPUT} are`);
  return undefined;
}

/** A job, as it is declared. */
interface Declared extends Omit<SmokePlan, "timeoutMs" | "onProgress" | "signal"> {
  readonly timeout: string;
}

/**
 * Runs the jobs of a gate, and shows their progress. Without bounds it is one job.
 *
 * @param before measurements of the last run that passed
 * @throws SmokeError if a job does not pass
 * @throws GateError if a bound is exceeded
 */
export async function gate(
  { client, log, signal }: Context,
  what: string,
  { timeout, ...plan }: Declared,
  bounds: Bounds = {},
  before?: unknown,
): Promise<Passed> {
  const subject = `${what} on endpoint ${plan.endpointId}`;
  const onProgress: SmokePlan["onProgress"] = ({ id, status }, elapsedMs, workers) => {
    const news = status === "IN_QUEUE" ? "in queue" : "running";
    const parts = [
      `${news} ${Math.round(elapsedMs / 1_000)} s`,
      ...workersNews(workers),
      `job ${id} on endpoint ${plan.endpointId}`,
    ];
    log.status(subject, parts.join(", "));
  };
  const began = client.clock.now();
  const whole = { ...plan, timeoutMs: milliseconds(timeout), signal, onProgress };
  const passed = await orFailed(runGate(client, whole, bounds, before));
  log.status(subject, `passed after ${inSeconds(client.clock.now() - began)}`, true);
  return passed;
}

const WORKERS_NEWS = [
  ["unhealthy", "crashed"],
  ["throttled", "waiting for a GPU"],
  ["initializing", "starting"],
  ["running", "running"],
] as const;

const workersNews = (workers: WorkerCounts = {}) =>
  WORKERS_NEWS.flatMap(([state, news]) => {
    const count = workers[state] ?? 0;
    return count === 0 ? [] : [`${count} worker${count === 1 ? "" : "s"} ${news}`];
  });

/** A request, as it is declared. */
type DeclaredGate = Omit<RequestGatePlan, "timeoutMs" | "onProgress" | "signal"> & { readonly timeout: string };

/**
 * Sends the requests of a gate, and shows their progress. Without bounds it is one request.
 *
 * @param before measurements of the last run that passed
 * @throws RequestError if an answer is not as expected, or none comes
 * @throws GateError if a bound is exceeded
 */
export async function requestGate(
  { client, log, signal, settings }: Context,
  what: string,
  { timeout, ...plan }: DeclaredGate,
  bounds: RequestBounds = {},
  before?: unknown,
): Promise<Answered> {
  const { address } = plan;
  const subject = "endpointId" in address ? `${what} on endpoint ${address.endpointId}` : what;
  const onProgress = (text: string, elapsedMs: number) => log.status(subject, `${text} after ${inSeconds(elapsedMs)}`);
  const began = client.clock.now();
  const whole = { ...plan, timeoutMs: milliseconds(timeout), signal, onProgress };
  const answered = await orFailed(runRequestGate(client, whole, settings.proxyDomain, bounds, before));
  log.status(subject, `answered after ${inSeconds(client.clock.now() - began)}`, true);
  return answered;
}

/** The lifecycle takes a 404 in an update for the resource's own deletion. This one concerns what was tried. */
async function orFailed<T>(gate: Promise<T>): Promise<T> {
  try {
    return await gate;
  } catch (error) {
    if (error instanceof NotFoundError) throw new Error(error.message, { cause: error });
    throw error;
  }
}
