/*
 * What a worker does with a job. A handler is a plain function given to `startEmulator({ handlers: { "repo/image:1": fn } })`:
 * it returns the output (or a promise of it), or is a generator whose yields become the job's stream and whose return
 * value becomes its output, or throws, which fails the job. Returning `{ error }` fails it too, and
 * `{ refresh_worker: true }` stops the worker afterwards.
 *
 * Images without a function do what the endpoint's environment says in EMULATOR_HANDLER, else what the image is called
 * (`emulator/fail`, with any tag); everything else echoes.
 *
 *   echo       returns its input
 *   fixed      returns EMULATOR_OUTPUT, as JSON where it is JSON
 *   delay      returns its input after EMULATOR_DELAY_MS, 1000 unless told
 *   fail       throws EMULATOR_ERROR
 *   stream     yields EMULATOR_CHUNKS chunks, 3 unless told, EMULATOR_DELAY_MS apart: EMULATOR_OUTPUT, or their number
 *              from 0; with EMULATOR_AGGREGATE=true the list of them is the job's output too
 *   lost       loses its worker in the first attempt of every job, echoes in the second
 *   crash      a dead image: its workers never get ready and crash again and again; so does the tag `:does-not-exist`
 *   throttled  its workers find no host for the first 30 s
 *
 * EMULATOR_DELAY_MS is heeded by all of them and counts on the emulator's clock.
 */

import { MISSING_IMAGE_TAG } from "../model/images";

/** What a job's handler is told. */
export interface JobContext {
  readonly id: string;
  readonly endpointId: string;
  readonly workerId: string;
  /** 0, or 1 when an earlier worker was lost. */
  readonly attempt: number;
  readonly env: Readonly<Record<string, string>>;
  /** What came with the job as `s3Config`. */
  readonly s3Config?: unknown;
  /** Aborted when the job is cancelled or out of time; what the handler does after that is not looked at. */
  readonly signal: AbortSignal;
  /** Resolves so many ms later on the emulator's clock. */
  sleep(ms: number): Promise<void>;
  /** Writes a line to the worker's log. */
  log(line: string): void;
  /** Shows as the job's output until it is finished. */
  progress(output: unknown): void;
  /** Takes the worker down with the job on it, as a killed container does. */
  crash(): never;
}

/** A job's code. */
// biome-ignore lint/suspicious/noExplicitAny: users write their handlers with the input type that their jobs have
export type Handler = (input: any, job: JobContext) => unknown;

/** How a worker of an image behaves: what it runs, and whether it gets that far. */
export interface Behaviour {
  readonly handler: Handler;
  /** Crashes instead of getting ready. */
  readonly dead?: boolean;
  /** ms for which no host has room for it. */
  readonly throttledMs?: number;
}

interface Container {
  readonly image: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The behaviour of a container, in the order of the list above. */
export function behaviourOf({ image, env }: Container, functions: Readonly<Record<string, Handler>>): Behaviour {
  const handler = functions[image];
  if (handler !== undefined) return { handler };
  if (image.endsWith(MISSING_IMAGE_TAG)) return DEAD;
  const name = env.EMULATOR_HANDLER ?? /^emulator\/([^:@]+)/.exec(image)?.[1] ?? "echo";
  return BEHAVIOURS.get(name) ?? ECHO;
}

const delay = async ({ env, sleep }: JobContext, unlessTold = 0): Promise<void> => {
  const ms = Number(env.EMULATOR_DELAY_MS ?? unlessTold);
  if (ms > 0) await sleep(ms);
};

const echo =
  (delayMs = 0): Handler =>
  async (input: unknown, job) => {
    await delay(job, delayMs);
    return input;
  };

const ECHO: Behaviour = { handler: echo() };
const DEAD: Behaviour = { handler: echo(), dead: true };

const BEHAVIOURS: ReadonlyMap<string, Behaviour> = new Map<string, Behaviour>([
  ["echo", ECHO],
  ["delay", { handler: echo(1000) }],
  [
    "fixed",
    {
      handler: async (_input, job) => {
        await delay(job);
        return fixedOutput(job.env) ?? null;
      },
    },
  ],
  [
    "fail",
    {
      handler: async (_input, job) => {
        await delay(job);
        throw new Error(job.env.EMULATOR_ERROR ?? "the handler failed");
      },
    },
  ],
  ["stream", { handler: stream }],
  [
    "lost",
    {
      handler: async (input: unknown, job) => {
        await delay(job);
        return job.attempt === 0 ? job.crash() : input;
      },
    },
  ],
  ["crash", DEAD],
  ["throttled", { handler: echo(), throttledMs: 30_000 }],
]);

const MOST_CHUNKS = 100_000;

async function* stream(_input: unknown, job: JobContext): AsyncGenerator<unknown, unknown> {
  const yielded: unknown[] = [];
  const chunks = Math.min(Number(job.env.EMULATOR_CHUNKS ?? 3), MOST_CHUNKS);
  for (let index = 0; index < chunks; index++) {
    await delay(job);
    const chunk = fixedOutput(job.env) ?? index;
    yielded.push(chunk);
    yield chunk;
  }
  return job.env.EMULATOR_AGGREGATE === "true" ? yielded : undefined;
}

function fixedOutput({ EMULATOR_OUTPUT: text }: JobContext["env"]): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
