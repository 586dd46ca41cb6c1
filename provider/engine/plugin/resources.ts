import { isDeepStrictEqual } from "node:util";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isRecord } from "../../../common/json";
import { hide } from "../../../common/redact";
import { seedOf } from "../../../common/seed";
import { nameOfUrn, typeOfUrn } from "../../../common/urn";
import { z } from "../../../common/zod";
import type { Difference } from "../../lifecycle/fields/difference";
import { factsOf } from "../../lifecycle/fields/fields";
import { noteUnread, unreadIn, withDeclared } from "../../lifecycle/fields/unread";
import { type Properties, valueAt } from "../../lifecycle/fields/values";
import type { Autonaming } from "../../lifecycle/make/namedCreates";
import { PartlyMadeError } from "../../lifecycle/state/partlyMade";
import { type ConnectAccount, HostedOperations, type Operations } from "../hostedOperations";
import { kinds } from "../kinds";
import { either, inherited, type Secrecy, secretsIn, secretTexts } from "../secrecy";
import { engineText, shownFailures } from "../text";
import * as messages from "./messages";
import { type Received, receive, send } from "./values";

/** A message that names the resource by its URN. Where resources are dynamic, the sdk sends the place instead. */
export interface ResourceRequest {
  getUrn(): string;
}

/** The resources that the plugin serves. It translates the engine's messages into calls of a kind's operations. */
export class Resources {
  readonly #kinds = new Map<string, NativeKind>();

  constructor(private readonly connect: ConnectAccount) {}

  kind(type: string): NativeKind {
    const name = /^computecloud:index:(\w+)$/.exec(type)?.[1] ?? "";
    const key = name.charAt(0).toLowerCase() + name.slice(1);
    const existing = this.#kinds.get(key);
    if (existing !== undefined) return existing;
    const load = isKind(key) ? kinds[key] : undefined;
    const operations = load?.(this.connect);
    if (operations === undefined || operations.definition.kind !== name) {
      throw unknownKind(type);
    }
    const kind = new NativeKind(new HostedOperations(operations, this.connect));
    this.#kinds.set(key, kind);
    return kind;
  }

  /** The kind of the resource that a message is about. */
  kindOf(request: ResourceRequest): NativeKind {
    return this.kind(typeOfUrn(request.getUrn()));
  }
}

function unknownKind(type: string): Error {
  if (type.startsWith("pulumi-nodejs:"))
    return new Error(
      `${type} is a dynamic resource, and a transformation has set its provider. Pass the provider to the resource or to its ` +
        "component, because its class chooses the host.",
    );
  const { suggestion } = require("../../../common/suggestion") as typeof import("../../../common/suggestion");
  const kindNames = Object.keys(kinds).map((key) => key.charAt(0).toUpperCase() + key.slice(1));
  return new Error(`there is no kind of resource ${type}${suggestion(type.split(":").at(-1) ?? "", kindNames)}`);
}

const isKind = (key: string): key is keyof typeof kinds => Object.hasOwn(kinds, key);

/** One kind, in the engine's messages. */
export class NativeKind {
  /** Schema of arguments and outputs together. */
  readonly #schema: z.ZodObject;
  /** By output: the arguments that make it secret if one of them is. */
  readonly #follows: ReadonlyMap<string, readonly string[]>;
  /** The argument that holds other resources, each with secrets of its own. */
  readonly #keeps: string | undefined;
  readonly #named: boolean;
  readonly #stables: readonly string[];
  /** By URN, the ids that the option `import` names. The engine reads them before it checks the arguments. */
  readonly #imported = new Map<string, string>();

  constructor(private readonly operations: Operations) {
    const { inputs, outputs, keeps } = operations.definition;
    const fields = Object.entries({ ...inputs.shape, ...outputs.shape }).map(([key, field]) => ({
      key,
      ...factsOf(field),
    }));
    this.#schema = z.object({ ...inputs.shape, ...outputs.shape });
    this.#follows = new Map(fields.flatMap(({ key, secretWith }) => (secretWith ? [[key, secretWith]] : [])));
    this.#stables = fields.flatMap(({ key, stable }) => (stable ? [key] : []));
    this.#keeps = keeps;
    this.#named = keeps !== undefined || Object.values(inputs.shape).some((field) => factsOf(field).autoNamed);
  }

  async check(request: messages.CheckRequest): Promise<messages.CheckResponse> {
    const old = receive(request.getOlds());
    const news = receive(request.getNews());
    // What the program itself marked is known in this operation alone: later ones get every variable as a secret.
    hide(...secretTexts(this.#schema.shape, old), ...news.secrets, ...secretTexts(this.#schema.shape, news));
    const naming = autonamingOf(request);
    const args = this.#argumentsOf(news, request);
    const { inputs, failures } = await this.operations.check(
      withoutHostMarks(old.values),
      args,
      naming,
      this.#imported.get(request.getUrn()),
    );
    const answer = failures.length > 0 ? news.values : withoutHostMarks(inputs);
    return new messages.CheckResponse()
      .setInputs(send(answer, this.#secrecy(news, answer)))
      .setFailuresList(
        shownFailures(failures).map(({ property, reason }) =>
          new messages.CheckFailure().setProperty(property).setReason(reason),
        ),
      );
  }

  async diff(request: messages.DiffRequest): Promise<messages.DiffResponse> {
    const news = receive(request.getNews());
    const next = {
      ...this.#argumentsOf(news, request),
      ...noteUnread(unreadIn(news.values)),
      __ignoreChanges: request.getIgnorechangesList(),
    };
    const planned = await this.operations.diff(
      request.getId(),
      stateOf(receive(request.getOlds()), receive(request.getOldInputs())),
      next,
    );
    const { changes, replaces, deleteBeforeReplace, differences } = planned;
    const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
    const response = new messages.DiffResponse()
      .setChanges(changes ? DIFF_SOME : DIFF_NONE)
      .setReplacesList(replaces.map(propertyPath))
      .setDeletebeforereplace(deleteBeforeReplace)
      .setStablesList([...this.#stables])
      .setDiffsList([...new Set(differences.map(({ field }) => field))])
      // A change without differences still asks for an update, which continues what was begun.
      .setHasdetaileddiff(differences.length > 0);
    const details = response.getDetaileddiffMap();
    for (const each of differences)
      for (const [path, diff] of propertyDiffs(propertyPath(each.path), each)) details.set(path, diff);
    return response;
  }

  async create(request: messages.CreateRequest): Promise<messages.CreateResponse> {
    const news = receive(request.getProperties());
    const inputs = this.#argumentsOf(news, request);
    if (request.getPreview()) {
      return new messages.CreateResponse().setProperties(
        this.#state(await this.operations.preview(undefined, inputs), news),
      );
    }
    const { id, state } = await this.#reportUnfinished(news, () => this.operations.create(inputs));
    return new messages.CreateResponse().setId(id).setProperties(this.#state(state, news));
  }

  async update(request: messages.UpdateRequest): Promise<messages.UpdateResponse> {
    const news = receive(request.getNews());
    const inputs = { ...this.#argumentsOf(news, request), __ignoreChanges: request.getIgnorechangesList() };
    const old = stateOf(receive(request.getOlds()), receive(request.getOldInputs()));
    const state = request.getPreview()
      ? await this.operations.preview(old, inputs)
      : await this.#reportUnfinished(
          news,
          () => this.operations.update(request.getId(), old, inputs),
          request.getOlds(),
        );
    return new messages.UpdateResponse().setProperties(this.#state(state, news));
  }

  async read(request: messages.ReadRequest): Promise<messages.ReadResponse> {
    const recorded = receive(request.getProperties());
    const declared = receive(request.getInputs());
    hide(...recorded.secrets, ...declared.secrets);
    const id = request.getId();
    const isRecorded = Object.keys(recorded.values).length > 0;
    const recordedState = withDeclared(withoutHostMarks(recorded.values), withoutHostMarks(declared.values));
    const old = { ...recordedState, __seed: seedOf(request.getUrn()) };
    const reading = await (isRecorded ? this.operations.read(id, old) : this.operations.readById(id));
    const response = new messages.ReadResponse();
    if (reading === undefined) return response;
    if (!isRecorded) this.#imported.set(request.getUrn(), id);
    const secrecy = (properties: Properties) => either(this.#secrecy(declared, properties), recorded.secrecy);
    const unread = unreadIn(declared.values).length > 0 ? declared.values : {};
    const inputs = withoutHostMarks({ ...unread, ...reading.inputs });
    const state = withoutHostMarks(reading.state);
    return response
      .setId(id)
      .setInputs(send(inputs, secrecy(inputs)))
      .setProperties(send(state, secrecy(state)));
  }

  async delete(request: messages.DeleteRequest): Promise<void> {
    const [recorded, declared] = [receive(request.getProperties()), receive(request.getOldInputs())];
    hide(...recorded.secrets, ...declared.secrets);
    const state = stateOf(recorded, declared);
    await this.operations.delete(request.getId(), { ...state, __seed: seedOf(request.getUrn()) });
  }

  async list(limit: number): Promise<messages.ListResponse[]> {
    const all = await this.operations.list();
    const listed = limit > 0 ? all.slice(0, limit) : all;
    return listed.map(({ id, name }) =>
      new messages.ListResponse().setResult(new messages.ListResponse.Result().setId(id).setName(name ?? "")),
    );
  }

  /** The arguments, with the additions that the sdk makes where resources are dynamic. */
  #argumentsOf({ values, secrecy }: Received, request: ResourceRequest): Properties {
    const secrets = secrecy === true ? [] : Object.keys(secrecy).filter((key) => !this.#isSecret(key));
    const hidden = this.#hiddenOutputs(secrecy).length > 0;
    const unnamed = (values.name ?? undefined) === undefined;
    const { __unread, ...args } = withoutHostMarks(values);
    return {
      ...args,
      ...(this.#keeps !== undefined && this.#memberArguments(this.#keeps, values, secrecy)),
      ...(hidden && { secretOutput: true }),
      __seed: seedOf(request.getUrn()),
      ...(this.#named && unnamed && { __logicalName: nameOfUrn(request.getUrn()) }),
      ...(secrets.length > 0 && this.#keeps === undefined && { __secrets: secrets }),
    };
  }

  /** The kept resources, each with the names of its secret arguments, as the class for TypeScript sends them. */
  #memberArguments(keeps: string, { [keeps]: declaredMembers }: Properties, secrecy: Secrecy): Properties {
    if (!isRecord(declaredMembers)) return declaredMembers === undefined ? {} : { [keeps]: declaredMembers };
    const all = inherited(secrecy, keeps, declaredMembers);
    const groupSecrecy = all === true || all[keeps];
    const always = secretsIn(this.#schema, { [keeps]: declaredMembers });
    const isAlways = (name: string, key: string) => valueAt(always, [keeps, name, key]) === true;
    const members = Object.entries(declaredMembers).map(([name, member]) => {
      const memberSecrecy = groupSecrecy === true || groupSecrecy?.[name];
      if (!isRecord(member) || memberSecrecy === undefined) return [name, member];
      const secrets = Object.keys(memberSecrecy === true ? member : memberSecrecy).filter(
        (key) => !key.startsWith("__") && !isAlways(name, key),
      );
      return [name, { ...member, ...(secrets.length > 0 && { __secrets: secrets }) }];
    });
    return { [keeps]: Object.fromEntries(members) };
  }

  #hiddenOutputs(secrecy: Secrecy): string[] {
    const isSecret = (key: string) => secrecy === true || secrecy[key] !== undefined;
    return [...this.#follows].flatMap(([output, inputs]) => (inputs.some(isSecret) ? [output] : []));
  }

  /** Whether a property is always secret, whatever the program says. */
  #isSecret(key: string): boolean {
    const field = this.#schema.shape[key];
    return field !== undefined && factsOf(field).secret === true;
  }

  /** The secret parts of what the engine gets: by the schema, by what the program marked, and by outputs that follow. */
  #secrecy({ values, secrecy }: Received, properties: Properties): Secrecy {
    const follow = values.secretOutput === true ? [...this.#follows.keys()] : this.#hiddenOutputs(secrecy);
    const declared = this.#keeps === undefined ? secrecy : inherited(secrecy, this.#keeps, properties[this.#keeps]);
    const always = secretsIn(this.#schema, properties);
    return either(either(always, declared), Object.fromEntries(follow.map((key) => [key, true])));
  }

  #state(state: Properties, received: Received): Struct {
    const properties = withoutHostMarks(state);
    return send(properties, this.#secrecy(received, properties));
  }

  /**
   * Runs an operation. The engine's state gets what a partly made resource has by now.
   *
   * @param old the state before. Parts of it may still apply, so what was a secret there stays one
   */
  async #reportUnfinished<T>(received: Received, operation: () => Promise<T>, old?: Struct): Promise<T> {
    try {
      return await operation();
    } catch (error) {
      if (!(error instanceof PartlyMadeError)) throw error;
      const properties = withoutHostMarks(error.properties);
      const secrecy = either(this.#secrecy(received, properties), receive(old).secrecy);
      throw new UnfinishedError(error, send(properties, secrecy));
    }
  }
}

/** A partly made resource, as the engine's error message for it. */
class UnfinishedError extends Error {
  override readonly name = "UnfinishedError";
  readonly details: messages.ErrorResourceInitFailed;

  constructor({ id, reasons, message }: PartlyMadeError, properties: Struct) {
    super(message);
    this.details = new messages.ErrorResourceInitFailed()
      .setId(id)
      .setProperties(properties)
      .setReasonsList(reasons.map(engineText));
  }
}

/** Drops what the state must not hold: what hosts add at every operation, and a dynamic resource's provider. */
const withoutHostMarks = ({ __provider, __seed, __secrets, __ignoreChanges, ...rest }: Properties): Properties => rest;

function stateOf(state: Received, declared: Received): Properties {
  return withDeclared(withoutHostMarks(state.values), declared.values);
}

function autonamingOf(request: messages.CheckRequest): Autonaming | undefined {
  const options = request.getAutonaming();
  if (options === undefined) return undefined;
  const { DISABLE, ENFORCE } = messages.CheckRequest.AutonamingOptions.Mode;
  if (options.getMode() === DISABLE) return { mode: "disable" };
  return { mode: options.getMode() === ENFORCE ? "enforce" : "propose", name: options.getProposedName() };
}

/** Rewrites a path in the engine's form: `mounts.network.0.path` becomes `mounts.network[0].path`. */
const propertyPath = (dotted: string): string => dotted.replace(/\.(\d+)(?=\.|$)/g, "[$1]");

/**
 * A difference in the engine's form. Each key of a map becomes a difference of its own: the engine replaces if a path of
 * `replaceOnChanges` contains the path of one.
 */
function propertyDiffs(
  path: string,
  { old, next, replaces }: Pick<Difference, "old" | "next" | "replaces">,
): [string, messages.PropertyDiff][] {
  const isMap = (value: unknown) => value === undefined || isRecord(value);
  const keys = isMap(old) && isMap(next) ? Object.keys({ ...(old ?? {}), ...(next ?? {}) }) : [];
  if (keys.length === 0) return [[path, propertyDiff(old, next, replaces)]];
  return keys.flatMap((key) => {
    const [before, after] = [valueAt(old, [key]), valueAt(next, [key])];
    if (isDeepStrictEqual(before, after)) return [];
    return propertyDiffs(`${path}["${key.replaceAll('"', '\\"')}"]`, { old: before, next: after, replaces });
  });
}

function propertyDiff(old: unknown, next: unknown, replaces: boolean): messages.PropertyDiff {
  const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = messages.PropertyDiff.Kind;
  const [inPlace, anew] =
    old === undefined ? [ADD, ADD_REPLACE] : next === undefined ? [DELETE, DELETE_REPLACE] : [UPDATE, UPDATE_REPLACE];
  return new messages.PropertyDiff().setKind(replaces ? anew : inPlace);
}
