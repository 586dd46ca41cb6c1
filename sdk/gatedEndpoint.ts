import * as pulumi from "@pulumi/pulumi";
import { CONTAINER as OF_FLEETS } from "./internal/container";
import { ServerlessContainer, type ServerlessContainerArgs } from "./serverlessContainer";
import { type SmokeFigures, SmokeJob, type SmokeJobArgs } from "./smokeJob";
import { Template } from "./template";
import type { QueueUrls, SmokeExpectation } from "./types";

/** A job that shows whether an image serves. */
export interface GateArgs {
  /** What the worker's handler is given: any JSON but an empty object. */
  input: pulumi.Input<unknown>;
  /** What its output must be. Default: anything. */
  expect?: pulumi.Input<SmokeExpectation>;
  /** Time for everything, cold start and further attempts included: `90s`, `5m`, `1h`. Default `5m`. */
  timeout?: pulumi.Input<string>;
  /** How often a job that did not go well is run again within `timeout`. Default 0. */
  retries?: pulumi.Input<number>;
}

/** What its jobs may take, as of a SmokeJob: such as `jobs: 20, concurrency: 4, execution: { p95: "2s" }`. */
type Bounds = Pick<
  SmokeJobArgs,
  "jobs" | "concurrency" | "coldStart" | "delay" | "execution" | "gpu" | "cost" | "notSlowerThan" | "liveEndpointId"
>;

/** The job, or jobs, of a candidate, and what they may take. */
export interface MeasuringGateArgs extends GateArgs, Bounds {}

/** What the component declares by itself. */
type Own = "type" | "template" | "templateId" | "templateRevision" | "verify";

export interface GatedEndpointArgs extends Omit<ServerlessContainerArgs, Own> {
  /** Container image with its tag. */
  image: pulumi.Input<string>;
  /** The job that a new image, or new settings, have to do well before they reach the endpoint. */
  gate: MeasuringGateArgs;
  /** Workers that the candidate may start while the gate's job runs; they count in the account's quota. Default 1. */
  candidateWorkers?: pulumi.Input<number>;
  /**
   * A second job, on the endpoint itself after it has taken the new settings: when it doesn't go well, the endpoint gets
   * the old ones back. `true`: the gate's. Default: none.
   */
  verify?: boolean | GateArgs;
}

/**
 * A queue whose changes have to prove themselves before they reach it. New settings go to a candidate first, an
 * endpoint of its own that rests at no workers and costs nothing; only when its smoke job went well does the endpoint,
 * whose id and addresses never change, take them, and the old template is deleted last. When the job does not go well,
 * the deployment fails with its reason, and the endpoint serves what it served before: the next `pulumi up`, with
 * another image or with the old one, goes on from there.
 *
 * @example Only images that answer
 * ```ts
 * import { GatedEndpoint } from "pulumi-computecloud";
 *
 * const chat = new GatedEndpoint("chat", {
 *   image: "registry.example.com/chat:1.5.0",
 *   gpu: { pools: ["AMPERE_24", "ADA_24"] },
 *   workers: { max: 3 },
 *   scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
 *   gate: { input: { text: "ping" }, expect: { output: { status: "ok" } }, timeout: "10m" },
 * });
 * export const url = chat.requestUrls.run;
 * ```
 */
export class GatedEndpoint extends pulumi.ComponentResource {
  /** The endpoint's id, the same for life: `endpointId` by its name in TypeScript. */
  readonly id: pulumi.Output<string>;
  /** The endpoint's id, the same for life. */
  readonly endpointId: pulumi.Output<string>;
  readonly name: pulumi.Output<string>;
  readonly type: pulumi.Output<string>;
  /** Addresses of the queue's operations; `{job_id}` stands for the job's id. */
  readonly requestUrls: pulumi.Output<QueueUrls>;
  /** Changes whenever an update changed the endpoint. */
  readonly revision: pulumi.Output<number>;
  /** The endpoint that new settings are tried on. */
  readonly candidateId: pulumi.Output<string>;
  /** What the gate's jobs were measured to take when they passed last. */
  readonly measured: pulumi.Output<SmokeFigures | undefined>;

  /*
   * The order is all that gates: template and endpoint depend on the job, so that the engine leaves them alone when it
   * fails. The live template is replaced rather than changed: the old one exists until the endpoint has taken the new
   * one, and the engine deletes it at the end of a run that went well. That is what the endpoint can go back to.
   */
  constructor(name: string, args: GatedEndpointArgs, options: pulumi.ComponentResourceOptions = {}) {
    // What the user protects is the endpoint: templates and candidate come and go.
    const { protect, ...others } = options;
    super("computecloud:index:GatedEndpoint", name, {}, others);
    if (args?.gate?.input === undefined) {
      throw new pulumi.RunError(
        `GatedEndpoint "${name}" needs gate: { input: … }, the job that a new image has to pass.`,
      );
    }
    const { gate, candidateWorkers = 1, verify } = args;
    const aside = { parent: this, protect: false };
    const container = {
      ...pick(args, CONTAINER),
      serverless: true,
      category: args.cpu === undefined ? ("NVIDIA" as const) : ("CPU" as const),
    };

    const candidate = new ServerlessContainer(
      `${name}-candidate`,
      {
        ...pick(args, TRIED),
        type: "QUEUE",
        template: new Template(`${name}-candidate`, container, aside),
        workers: { min: 0, max: 0 },
        scaling: { type: "REQUEST_COUNT", requestCount: 1 },
      },
      aside,
    );
    const job = new SmokeJob(`${name}-gate`, { ...gate, endpoint: candidate, workersMax: candidateWorkers }, aside);
    const live = new ServerlessContainer(
      name,
      {
        ...omit(args, [...CONTAINER, "gate", "candidateWorkers", "verify"]),
        type: "QUEUE",
        template: new Template(name, container, { ...aside, dependsOn: job, replaceOnChanges: ["*"] }),
        ...(verify && { verify: pulumi.output(verify === true ? pick(gate, JOB) : verify) }),
      },
      {
        parent: this,
        ...(protect !== undefined && { protect }),
        dependsOn: job,
        // A ServerlessContainer of the same name becomes a gated one, and stays the endpoint that it is.
        aliases: [{ parent: options.parent ?? pulumi.rootStackResource }],
      },
    );

    this.id = live.id;
    this.endpointId = live.id;
    this.name = live.name;
    this.type = live.type;
    this.requestUrls = live.requestUrls as pulumi.Output<QueueUrls>;
    this.revision = live.revision;
    this.candidateId = candidate.id;
    this.measured = job.measured;
    const { endpointId, type, requestUrls, revision, candidateId, measured } = this;
    this.registerOutputs({ endpointId, name: this.name, type, requestUrls, revision, candidateId, measured });
  }
}

/** What a verification takes of a gate. */
const JOB = ["input", "expect", "timeout", "retries"] as const;

/** What the template holds: all that a container runs has to pass the gate. */
const CONTAINER = [...OF_FLEETS, "entrypoint", "cmd"] as const;

/** What the candidate has in common with the endpoint besides. */
const TRIED = ["gpu", "cpu", "dataCenterIds", "networkVolumes", "timeout"] as const;

function pick<T extends object, Key extends keyof T>(from: T, keys: readonly Key[]): Pick<T, Key> {
  const kept = new Set<PropertyKey>(keys);
  return Object.fromEntries(Object.entries(from).filter(([key]) => kept.has(key))) as Pick<T, Key>;
}

function omit<T extends object, Key extends keyof T>(from: T, keys: readonly Key[]): Omit<T, Key> {
  const left = new Set<PropertyKey>(keys);
  return Object.fromEntries(Object.entries(from).filter(([key]) => !left.has(key))) as Omit<T, Key>;
}
