/*
 * What a worker does with a job. A handler is a function given to `startEmulator({ handlers: { "repo/image:1": fn } })`. It
 * returns the output, or a promise of it. A generator's yields become the job's stream, and its return value the output.
 * Throwing, or returning or yielding `{ error }` that isn't empty, fails the job. Returning `{ refresh_worker: true }` stops the worker afterwards.
 *
 * Images without a function behave as EMULATOR_HANDLER in the endpoint's environment says, otherwise as the image's name says
 * (`emulator/fail`, with any tag). All others echo.
 *
 *   echo       returns its input; requests to `/openai/...` are answered by a small model, one of EMULATOR_DELAY_MS a token
 *   openai     the model, as vLLM's worker runs it: inputs with `messages`, `prompt`, `openai_route` or `route`, no others;
 *              also every image with `vllm` in its name
 *   fixed      returns EMULATOR_OUTPUT, as JSON where it is JSON
 *   delay      returns its input after EMULATOR_DELAY_MS, by default 1000
 *   fail       throws EMULATOR_ERROR
 *   stream     yields EMULATOR_CHUNKS chunks, by default 3, EMULATOR_DELAY_MS apart: EMULATOR_OUTPUT, or their number
 *              from 0; with EMULATOR_AGGREGATE=true the list of them is also the job's output
 *   lost       loses its worker in the first attempt of every job, echoes in the second
 *   crash      a broken image: its workers never get ready and keep crashing; the tag `:does-not-exist` does the same
 *   throttled  its workers find no host for the first 30 s
 *
 * EMULATOR_DELAY_MS applies to all of them, by the emulator's clock.
 */

import { jsonOrText, ownMember } from "../json";
import { MISSING_IMAGE_TAG } from "../model/images";
import { isOpenAiInput, isVllm, runOnModel, runOnServer, runVllm } from "../openai/job";
import type { Container } from "../store/records";

/** The second argument of a handler. */
export interface JobContext {
  readonly id: string;
  readonly endpointId: string;
  readonly workerId: string;
  /** 0, or 1 when an earlier worker was lost. */
  readonly attempt: number;
  readonly env: Readonly<Record<string, string>>;
  readonly s3Config?: unknown;
  /** Aborted when the job is cancelled or out of time. The handler's later output is ignored. */
  readonly signal: AbortSignal;
  /** Resolves after so many ms, by the emulator's clock. */
  sleep(ms: number): Promise<void>;
  /** Writes a line to the worker's log. */
  log(line: string): void;
  /** Sets the job's output until it is finished. */
  progress(output: unknown): void;
  /** Crashes the worker, as a killed container does. The job is lost with it. */
  crash(): never;
}

/** A job's code. */
// biome-ignore lint/suspicious/noExplicitAny: users write their handlers with the input type that their jobs have
export type Handler = (input: any, job: JobContext) => unknown;

export interface Behaviour {
  readonly handler: Handler;
  /** Crashes instead of getting ready. */
  readonly dead?: boolean;
  /** How long no host has capacity for it, in ms. */
  readonly throttledMs?: number;
}

type Running = Pick<Container, "image" | "env">;

/** Whose code workers run. */
interface HandlerOptions {
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly settings: { readonly forward: Readonly<Record<string, string>> };
}

/** The behaviour of a container: of the user's server or function, or in the order of the list above. */
export function behaviourOf(container: Running, { handlers, settings }: HandlerOptions): Behaviour {
  const { image } = container;
  const address = ownMember(settings.forward, image);
  if (address !== undefined) return { handler: forwarding(address) };
  const handler = ownMember(handlers, image);
  if (handler !== undefined) return { handler };
  if (image.endsWith(MISSING_IMAGE_TAG)) return DEAD;
  const name = behaviourName(container) ?? (isVllm(image) ? "openai" : "echo");
  return ownMember(BEHAVIOURS, name) ?? { handler: ownMember(HANDLERS, name) ?? HANDLERS.echo };
}

/** The behaviour that an image's environment or name asks for. */
export const behaviourName = ({ image, env }: Running): string | undefined =>
  env.EMULATOR_HANDLER ?? /^emulator\/([^:@]+)/.exec(image)?.[1];

/** Waits for as long as the environment asks. */
export const delay = async ({ env, sleep }: Pick<JobContext, "env" | "sleep">, byDefault = 0): Promise<void> => {
  const ms = Number(env.EMULATOR_DELAY_MS ?? byDefault);
  if (ms > 0) await sleep(ms);
};

const echo =
  (delayMs = 0): Handler =>
  async (input: unknown, job) => {
    if (isOpenAiInput(input)) return runOnModel(input, job.env, () => delay(job, delayMs));
    await delay(job, delayMs);
    return input;
  };

const forwarding =
  (address: string): Handler =>
  (input: unknown, job) =>
    isOpenAiInput(input) ? runOnServer(input, address, job.signal) : input;

const HANDLERS = {
  echo: echo(),
  openai: (input, job) => runVllm(input, job.env, () => delay(job)),
  delay: echo(1000),
  async fixed(_input, job) {
    await delay(job);
    return fixedOutput(job.env) ?? null;
  },
  async fail(_input, job) {
    await delay(job);
    throw new Error(job.env.EMULATOR_ERROR ?? "the handler failed");
  },
  stream,
  async lost(input: unknown, job) {
    await delay(job);
    return job.attempt === 0 ? job.crash() : input;
  },
} satisfies Record<string, Handler>;

const DEAD: Behaviour = { handler: HANDLERS.echo, dead: true };
/** Those of broken images and of full hosts. */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  crash: DEAD,
  throttled: { handler: HANDLERS.echo, throttledMs: 30_000 },
};

const MOST_CHUNKS = 100_000;

export const chunkCount = ({ EMULATOR_CHUNKS: chunks = "3" }: JobContext["env"]): number =>
  Math.min(Number(chunks), MOST_CHUNKS);

async function* stream(_input: unknown, job: JobContext): AsyncGenerator<unknown, unknown> {
  const yielded: unknown[] = [];
  const chunks = chunkCount(job.env);
  for (let index = 0; index < chunks; index++) {
    await delay(job);
    const chunk = fixedOutput(job.env) ?? index;
    yielded.push(chunk);
    yield chunk;
  }
  return job.env.EMULATOR_AGGREGATE === "true" ? yielded : undefined;
}

const fixedOutput = ({ EMULATOR_OUTPUT: text }: JobContext["env"]): unknown =>
  text === undefined ? undefined : jsonOrText(text);
