/** The engine that is fetched or built where none is found, and the oldest that is taken from PATH. */
export const ENGINE_VERSION = "3.276.0";

export interface Engine {
  /** The folder to put on PATH: the CLI, the Node language host and the host of dynamic resources. */
  folder: string;
  /** In words, which way it was found or made. */
  from: string;
}

export interface EngineContext {
  env: NodeJS.ProcessEnv;
  /** Where this machine keeps this version, outside every checkout. */
  home: string;
  /** Told what is being done, one line at a time. */
  report: (line: string) => void;
  /** Ends what was started to get the engine. */
  signal?: AbortSignal | undefined;
}

/** Why a way to an engine is closed on this machine. */
export interface Closed {
  unavailable: string;
}

export type Way = (context: EngineContext) => Promise<Engine | Closed>;
