import type { z } from "zod";
import { isRecord, parseJson } from "../../common/json";
import { redactKept, secretsInHeaders } from "../../common/redact";
import type { Checked } from "../lifecycle/check/check";
import { ACCOUNT, type Context, type Listed } from "../lifecycle/definition";
import { factsOf, fieldsByRole, secretFields } from "../lifecycle/fields/fields";
import { MOST_LEVELS, type Properties, valueAt } from "../lifecycle/fields/values";
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
  preview(old: Properties | undefined, args: Properties): Promise<Properties>;
  delete(id: string, state: Properties): Promise<void>;
  list(): Promise<readonly Listed[]>;
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
  readonly #ofProgram: readonly string[];

  constructor(
    operations: Operations,
    private readonly connect: ConnectAccount,
  ) {
    this.#operations = operations;
    this.definition = operations.definition;
    const { inputs } = operations.definition;
    const { control, trigger } = fieldsByRole(inputs);
    this.#ofProgram = [...control, ...trigger];
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
    const mark = await account.mark();
    await account.willCreate();
    try {
      const { id, state } = await this.#operations.create(args);
      return { id, state: this.#recorded(state, args, mark) };
    } catch (error) {
      throw this.#unfinished(error, args, mark);
    }
  }

  async read(id: string, old: Properties): Promise<Reading | undefined> {
    const { account } = await this.connect();
    await account.confirm(old[ACCOUNT], this.#subject(id));
    const reading = await this.#operations.read(id, old);
    return reading && this.#reading(reading, old, await account.mark(old[ACCOUNT]));
  }

  async readById(id: string): Promise<Reading | undefined> {
    const { account } = await this.connect();
    await account.willCreate();
    const reading = await this.#operations.readById(id);
    return reading && this.#reading(reading, {}, await account.mark());
  }

  async update(id: string, old: Properties, args: Properties): Promise<Properties> {
    const { account } = await this.connect();
    await account.confirm(old[ACCOUNT], this.#subject(id));
    const mark = await account.mark(old[ACCOUNT]);
    try {
      return this.#recorded(await this.#operations.update(id, old, args), args, mark);
    } catch (error) {
      throw this.#unfinished(error, args, mark);
    }
  }

  preview(old: Properties | undefined, args: Properties): Promise<Properties> {
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

  #subject(id: string): string {
    return `${this.definition.kind} "${id}"`;
  }

  #reading({ inputs, state }: Reading, old: Properties, mark: string | undefined): Reading {
    return { inputs: this.#kept(inputs, old), state: this.#recorded(state, old, mark) };
  }

  #recorded(state: Properties, declared: Properties, mark: string | undefined): Properties {
    const safe = this.#kept(state, declared);
    return mark === undefined ? safe : { ...safe, [ACCOUNT]: mark };
  }

  #unfinished(error: unknown, declared: Properties, mark: string | undefined): unknown {
    if (!(error instanceof PartlyMadeError)) return error;
    return new PartlyMadeError(error.id, this.#recorded(error.properties, declared, mark), error.reasons);
  }

  /**
   * All that goes into a state passes here: as data, and of a server's answers neither the key nor the headers of a request.
   * An argument that has them of the program's own, or that the state encrypts, keeps them, or it would always differ.
   *
   * @param declared the program's arguments, or the state before
   */
  #kept(values: Properties, declared: Properties): Properties {
    const { shape } = this.definition.inputs;
    const credentials = this.#headersOf(declared).flatMap(secretsInHeaders);
    // mutant echoed-secrets-kept: values
    const masked = redactKept(values, credentials);
    const isOwn = (key: string) => {
      const field = shape[key];
      if (field === undefined) return false;
      return factsOf(field).secret === true || redactKept(declared[key], credentials) !== declared[key];
    };
    const safe: Record<string, unknown> = { ...masked };
    if (masked !== values) for (const key of Object.keys(safe)) if (isOwn(key)) safe[key] = values[key];
    const data = { ...Object(asData(safe, MOST_LEVELS + 1)) };
    for (const key of this.#ofProgram) if (key in values) data[key] = values[key];
    return data;
  }

  /** The headers of requests in the arguments: beside them, or in a JSON text such as that of `verify`. */
  #headersOf(declared: Properties): Properties[] {
    const texts = secretFields(this.definition.inputs).flatMap((key) => {
      const [field, text] = [this.definition.inputs.shape[key], declared[key]];
      const paths: readonly string[] = (field && factsOf(field).secretParts) ?? [];
      return typeof text === "string" ? paths.map((path) => valueAt(parseJson(text), path.split("."))) : [];
    });
    return [declared.headers, ...texts].filter(isRecord);
  }
}
