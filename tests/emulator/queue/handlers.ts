/** What a job's handler is told. */
export interface JobContext {
  readonly id: string;
  readonly endpointId: string;
  readonly env: Readonly<Record<string, string>>;
  /** Resolves so many ms later on the emulator's clock. */
  sleep(ms: number): Promise<void>;
}

/** A job's code: returns the output, yields chunks, or throws. */
export type Handler = (input: unknown, job: JobContext) => unknown;

/** Returns its input. What an image runs unless `startEmulator` was given another handler for it. */
export const echo: Handler = (input) => input;
