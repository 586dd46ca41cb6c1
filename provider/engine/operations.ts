import type { z } from "zod";
import type { CheckFailure, Context, Listed } from "../lifecycle/definition";
import type { Properties } from "../lifecycle/fields/values";
import type { Autonaming } from "../lifecycle/make/namedCreates";
import type { Planned } from "../lifecycle/plan/plan";
import type { Reading } from "../lifecycle/readings";
import type { RunAccount } from "./account";

/** A kind's operations, whatever its schema. Both hosts, dynamic and plugin, call these. */
export interface Operations {
  readonly definition: {
    readonly kind: string;
    readonly inputs: z.ZodObject;
    readonly outputs: z.ZodObject;
    readonly keeps?: string;
  };
  check(old: Properties, given: Properties, autonaming?: Autonaming, imported?: string): Promise<Checked>;
  diff(id: string, old: Properties, next: Properties): Promise<Planned>;
  create(given: Properties): Promise<{ id: string; state: Properties }>;
  read(id: string, old: Properties): Promise<Reading | undefined>;
  readById(id: string): Promise<Reading | undefined>;
  update(id: string, old: Properties, given: Properties): Promise<Properties>;
  preview(old: Properties | undefined, given: Properties): Properties;
  delete(id: string, state: Properties): Promise<void>;
  list(): Promise<readonly Listed[]>;
}

export interface Checked {
  readonly inputs: Properties;
  readonly failures: CheckFailure[];
}

/** Connects with the settings that the engine configured. */
export type Connect = () => Promise<Context>;

/** `Connect` with the account that the run works in. */
export type ConnectAccount = () => Promise<EngineContext>;

export interface EngineContext extends Context {
  readonly account: RunAccount;
}
