import type { z } from "zod";
import { redactKept, secretsInHeaders } from "../../common/redact";
import { ACCOUNT, type CheckFailure, type Context, type Listed } from "../lifecycle/definition";
import { factsOf } from "../lifecycle/fields/fields";
import { isObject, type Properties } from "../lifecycle/fields/values";
import type { Autonaming } from "../lifecycle/make/namedCreates";
import type { Planned } from "../lifecycle/plan/plan";
import type { Reading } from "../lifecycle/readings";
import { PartlyMadeError } from "../lifecycle/state/partlyMade";
import type { RunAccount } from "./account";
import { asData } from "./asData";

/** A kind's operations, whatever its schema. Both hosts, dynamic and plugin, call these. */
export interface Operations {
  readonly definition: {
    readonly kind: string;
    readonly inputs: z.ZodObject;
    readonly outputs: z.ZodObject;
    readonly keeps?: string;
  };
  check(old: Properties, args: Properties, autonaming?: Autonaming, imported?: string): Promise<Checked>;
  diff(id: string, old: Properties, next: Properties): Promise<Planned>;
  create(args: Properties): Promise<{ id: string; state: Properties }>;
  read(id: string, old: Properties): Promise<Reading | undefined>;
  readById(id: string): Promise<Reading | undefined>;
  update(id: string, old: Properties, args: Properties): Promise<Properties>;
  preview(old: Properties | undefined, args: Properties): Properties;
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

/**
 * A kind's operations as both hosts call them. Each first makes sure that the key belongs to the resource's account, which
 * the returned state names. What a server said is data for the engine, nothing else.
 */
export class HostedOperations implements Operations {
  readonly definition: Operations["definition"];
  readonly #operations: Operations;
  /** Arguments of which no server says anything: they may be assets and other special values. */
  readonly #ofProgram: ReadonlySet<string>;

  constructor(
    operations: Operations,
    private readonly connect: ConnectAccount,
  ) {
    this.#operations = operations;
    this.definition = operations.definition;
    const fields = Object.entries(operations.definition.inputs.shape);
    const ofProgram = fields.filter(([, field]) => factsOf(field).control || factsOf(field).trigger);
    this.#ofProgram = new Set(ofProgram.map(([key]) => key));
  }

  async check(old: Properties, args: Properties, autonaming?: Autonaming, imported?: string): Promise<Checked> {
    const { account } = await this.connect();
    const isNew = Object.keys(old).length === 0;
    if (isNew) await account.willCreate();
    // The checks ask the service too, and neither waits for the other.
    // mutant green-with-a-wrong-key: false
    const refused = isNew ? account.refusal() : undefined;
    const checked = await this.#operations.check(old, args, autonaming, imported);
    const refusal = checked.failures.length === 0 ? await refused : undefined;
    if (refusal === undefined) return checked;
    return { ...checked, failures: [{ property: "computecloud:apiKey", reason: refusal.message }] };
  }

  async diff(id: string, old: Properties, next: Properties): Promise<Planned> {
    const { account } = await this.connect();
    await account.addRecorded(old[ACCOUNT], this.#subject(id));
    const planned = await this.#operations.diff(id, old, next);
    if (planned.changes) await account.willChange(old[ACCOUNT], this.#subject(id));
    return planned;
  }

  async create(args: Properties): Promise<{ id: string; state: Properties }> {
    const { account } = await this.connect();
    await account.willCreate();
    const mark = await account.mark();
    try {
      const { id, state } = await this.#operations.create(args);
      return { id, state: this.#recorded(this.#kept(state, args), mark) };
    } catch (error) {
      throw this.#unfinished(error, mark);
    }
  }

  async read(id: string, old: Properties): Promise<Reading | undefined> {
    const { account } = await this.connect();
    await account.confirm(old[ACCOUNT], this.#subject(id));
    const reading = await this.#operations.read(id, old);
    return reading && this.#reading(reading, await account.mark(old[ACCOUNT]));
  }

  async readById(id: string): Promise<Reading | undefined> {
    const { account } = await this.connect();
    await account.willCreate();
    const reading = await this.#operations.readById(id);
    return reading && this.#reading(reading, await account.mark());
  }

  async update(id: string, old: Properties, args: Properties): Promise<Properties> {
    const { account } = await this.connect();
    await account.confirm(old[ACCOUNT], this.#subject(id));
    const mark = await account.mark(old[ACCOUNT]);
    try {
      return this.#recorded(this.#kept(await this.#operations.update(id, old, args), args), mark);
    } catch (error) {
      throw this.#unfinished(error, mark);
    }
  }

  preview(old: Properties | undefined, args: Properties): Properties {
    return this.#operations.preview(old, args);
  }

  async delete(id: string, state: Properties): Promise<void> {
    const { account } = await this.connect();
    await account.confirm(state[ACCOUNT], this.#subject(id));
    return this.#operations.delete(id, state);
  }

  async list(): ReturnType<Operations["list"]> {
    await (await this.connect()).account.confirmAllowed();
    return this.#operations.list();
  }

  /** What the state keeps. Of a server's answers it keeps neither the key nor the headers of a request. */
  #kept(state: Properties, args: Properties): Properties {
    const { inputs } = this.definition;
    const answers = Object.entries(state).filter(([name]) => !(name in inputs.shape));
    const credentials = isObject(args.headers) ? secretsInHeaders(args.headers) : [];
    return { ...state, ...redactKept(Object.fromEntries(answers), credentials) };
  }

  #subject(id: string): string {
    return `${this.definition.kind} "${id}"`;
  }

  #reading({ inputs, state }: Reading, mark: string | undefined): Reading {
    return { inputs: this.#asData(inputs), state: this.#recorded(state, mark) };
  }

  #recorded(state: Properties, mark: string | undefined): Properties {
    const data = this.#asData(state);
    return mark === undefined ? data : { ...data, [ACCOUNT]: mark };
  }

  #unfinished(error: unknown, mark: string | undefined): unknown {
    if (!(error instanceof PartlyMadeError)) return error;
    return new PartlyMadeError(error.id, this.#recorded(error.properties, mark), error.reasons);
  }

  #asData(values: Properties): Properties {
    const data = Object.entries(values).map(([key, value]) => [key, this.#ofProgram.has(key) ? value : asData(value)]);
    return Object.fromEntries(data);
  }
}
