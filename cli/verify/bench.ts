import { z } from "../../common/zod";
import type { FactId } from "./facts";
import { kinds, type Made, remove, type TrialKind } from "./kinds";
import type { Entry, OpenCreate } from "./ledger";
import { type Answer, expectBody, expectStatus, field, needStatus, Untried } from "./verdict";
import type { Asked, Wire } from "./wire";

type Body = Readonly<Record<string, unknown>>;
type Sent = Omit<Asked, "method" | "path">;

/** The tools of one trial: calls, and resources of its own that are deleted after it. */
export class Bench {
  #created: Pick<Made, "kind" | "id">[] = [];

  /**
   * @param wire for the trial's calls
   * @param clearing for deletes after the trial, which an interrupt does not end
   */
  constructor(
    private readonly wire: Wire,
    private readonly clearing: Wire,
    private readonly entry: Entry,
  ) {}

  /** An unused name with this run's prefix. */
  name(): string {
    return `${prefixOf(this.entry.word)}${this.entry.nextNumber()}`;
  }

  /** @param call method and path, such as `PATCH /v2/templates/{id}` */
  ask(call: string, sent: Sent = {}): Promise<Answer> {
    const [method = "", path = ""] = call.split(" ");
    return this.wire.ask({ ...sent, method: method as Asked["method"], path });
  }

  /** Sends a create, which may be refused. Adds a name unless the body has one. */
  create(kind: TrialKind, sent: Body): Promise<Answer> {
    const { path, named } = kinds[kind];
    const body: Body = { ...(named in sent ? {} : { [named]: this.name() }), ...sent };
    return this.#creating(
      { kind, name: String(body[named]) },
      (answer) => field(answer.body, "id"),
      () => this.ask(`POST ${path}`, { body }),
    );
  }

  /** Creates a resource. @throws Untried when that is refused */
  async make(kind: TrialKind, body: Body): Promise<{ readonly id: string; readonly body: unknown }> {
    const answer = needStatus(await this.create(kind, body), 200, 201);
    return { id: idIn(answer, answer.body), body: answer.body };
  }

  /** Creates an endpoint over REST, without workers. */
  makeEndpoint(body: Body = {}): ReturnType<Bench["make"]> {
    return this.make("endpoint", { ...queueEndpoint, ...body });
  }

  makeTemplate(body: Body = {}): ReturnType<Bench["make"]> {
    return this.make("template", { ...workersTemplate, ...body });
  }

  patch(kind: TrialKind, id: string, body: Body): Promise<Answer> {
    return this.ask(`PATCH ${kinds[kind].path}/{id}`, { params: { id }, body });
  }

  /** The resource as it is now. @throws Untried when it can't be read */
  async read(kind: TrialKind, id: string): Promise<unknown> {
    return needStatus(await this.ask(`GET ${kinds[kind].path}/{id}`, { params: { id } }), 200).body;
  }

  async graphql(query: string): Promise<unknown> {
    const answer = needStatus(await this.graphqlAnswer(query), 200);
    const data = field(answer.body, "data");
    if (typeof data === "object" && data !== null && field(answer.body, "errors") === undefined) return data;
    throw new Untried("a preparation failed: GraphQL answered errors");
  }

  graphqlAnswer(query: string, variables: Body = {}, sent: Sent = {}): Promise<Answer> {
    return this.ask("POST ", { ...sent, to: "graphql", body: { query, variables } });
  }

  /** Creates an endpoint over GraphQL, without workers. */
  async saveEndpoint(input: Body): Promise<string> {
    const answer = needStatus(await this.saveAnswer(input), 200);
    return idIn(answer, savedIn(answer));
  }

  saveAnswer(input: Body): Promise<Answer> {
    const query = "mutation ($input: EndpointInput!) { saveEndpoint(input: $input) { id idleTimeout } }";
    const send = (sent: Body) => this.graphqlAnswer(query, { input: sent });
    if ("id" in input) return send(input);
    const name = this.name();
    return this.#creating(
      { kind: "endpoint", name },
      (answer) => field(savedIn(answer), "id"),
      () => send({ ...savedEndpoint, ...input, name }),
    );
  }

  /** Deletes what the trial has made, newest first. */
  async clear(): Promise<void> {
    const created = this.#created.toReversed();
    this.#created = [];
    // A resource that can't be deleted now is found by its name at the end of the run, with all others.
    for (const each of created) await remove(this.clearing, each, 0).catch(() => undefined);
  }

  /** Notes the create before it is sent, so that a kill can't leave an unknown resource, and its result afterwards. */
  async #creating(
    { kind, name }: Pick<OpenCreate, "kind" | "name">,
    idOf: (answer: Answer) => unknown,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    const create = { kind, name, since: this.wire.clock.now() };
    this.entry.creating(create);
    const answer = await send();
    const isCreated = answer.status < 300;
    // After a 5xx the service may still have done the work, so the note stays open.
    if (answer.status < 500) this.entry.answered(create, isCreated);
    const id = isCreated ? idOf(answer) : undefined;
    if (typeof id === "string") this.#created.push({ kind, id });
    return answer;
  }
}

export const prefixOf = (word: string): string => `verify-${word}-`;

const savedIn = (answer: Answer): unknown => field(answer.body, "data", "saveEndpoint");

/** @throws Untried if there is none */
export function idIn(answer: Answer, thing: unknown): string {
  const id = field(thing, "id");
  if (typeof id === "string") return id;
  throw new Untried(`a preparation failed: ${answer.call} answered no id`);
}

/** The smallest of each kind. Without workers nothing runs, so nothing costs. */
export const container = { image: "busybox", disk: 5 };
export const workersTemplate = { ...container, serverless: true };
export const queueEndpoint = {
  ...container,
  type: "QUEUE",
  gpu: { pools: ["AMPERE_16"] },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  workers: { min: 0, max: 0 },
};
export const savedEndpoint = {
  gpuIds: "AMPERE_16",
  gpuCount: 1,
  type: "QB",
  idleTimeout: 7,
  scalerType: "QUEUE_DELAY",
  scalerValue: 4,
  workersMin: 0,
  workersMax: 0,
};

/** Tries one fact. Returns if it holds. @throws Differs, or Untried when it could not be tried */
export type Trial = (bench: Bench) => Promise<unknown>;

/** The trial of a call that is answered with 200, and a body with these members. */
export const shows =
  <Members extends z.ZodRawShape>(call: string, members: Members, sent?: Sent) =>
  async (bench: Bench) =>
    expectBody(expectStatus(await bench.ask(call, sent), 200), z.looseObject(members));

/** The trial of a create that is answered with one of these statuses. */
export const creates =
  (kind: TrialKind, body: Body, ...statuses: readonly number[]) =>
  async (bench: Bench) =>
    expectStatus(await bench.create(kind, body), ...statuses);

/** The trial of a second create of the same name, which is answered with one of these statuses. */
export const createsTwice =
  (kind: TrialKind, body: Body, ...statuses: readonly number[]) =>
  async (bench: Bench) => {
    const named = { ...body, [kinds[kind].named]: bench.name() };
    await bench.make(kind, named);
    expectStatus(await bench.create(kind, named), ...statuses);
  };

/** The trial of a limit: a template with so many is made, and one with one more is refused. */
export const takesAtMost = (most: number, bodyOf: (count: number, bench: Bench) => Body) => async (bench: Bench) => {
  await bench.makeTemplate(bodyOf(most, bench));
  expectStatus(await bench.create("template", { ...container, ...bodyOf(most + 1, bench) }), 400, 422);
};

export type Trials = { readonly [Id in FactId]?: Trial };
