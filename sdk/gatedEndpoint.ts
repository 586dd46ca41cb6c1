import * as pulumi from "@pulumi/pulumi";
import {
  type LoadBalancerUrls,
  type ProvingRequest,
  type QueueUrls,
  ServerlessContainer,
  type ServerlessContainerArgs,
} from "./generated/serverlessContainer";
import { type SmokeFigures, SmokeJob, type SmokeJobArgs } from "./generated/smokeJob";
import { type RequestFigures, SmokeRequest, type SmokeRequestArgs } from "./generated/smokeRequest";
import { Template } from "./generated/template";
import { CONTAINER as OF_FLEETS } from "./internal/container";
import { isPlain, refuseDeletedWith } from "./internal/resource";

/** A job that shows whether an image works, as of a SmokeJob. */
export interface GateArgs extends Pick<SmokeJobArgs, (typeof JOB)[number]> {
  /** A gate is a job or a request. */
  request?: undefined;
}

/** Bounds for the gate's jobs, as of a SmokeJob: such as `jobs: 20, concurrency: 4, execution: { p95: "2s" }`. */
type Bounds = Pick<
  SmokeJobArgs,
  "jobs" | "concurrency" | "coldStart" | "delay" | "execution" | "gpu" | "cost" | "notSlowerThan" | "liveEndpointId"
>;

/** The job or jobs of a candidate, with bounds for their times and cost. */
export interface MeasuringGateArgs extends GateArgs, Bounds {}

/** What a SmokeRequest takes, apart from where it goes. */
type RequestArgs = Omit<
  SmokeRequestArgs,
  "endpoint" | "endpointId" | "pod" | "podId" | "port" | "url" | "triggers" | "workersMax" | "secretOutput"
>;

/** Members of a job, which a request does not read: it has its own. */
type NoJob<Job> = { [Member in Exclude<keyof Job, "request">]?: undefined };

/** A request in place of a job: for load balancers, and for language models of a queue. */
export interface RequestGateArgs extends NoJob<MeasuringGateArgs> {
  /** The request or requests of a candidate, with bounds for their times. */
  request: RequestArgs;
}

type EndpointType = "QUEUE" | "LOAD_BALANCER";

/** Arguments that the component itself declares. */
type Own = "type" | "template" | "templateId" | "templateRevision" | "verify";

export interface GatedEndpointArgs<Type extends EndpointType = "QUEUE"> extends Omit<ServerlessContainerArgs, Own> {
  /** Whether requests wait in a queue, or go to a worker at once. A change replaces the endpoint. Default `QUEUE`. */
  type?: Type;
  /** Container image with its tag. */
  image: pulumi.Input<string>;
  /** The job, or the `request`, that new settings must pass before the endpoint takes them. A load balancer takes a request. */
  gate: MeasuringGateArgs | RequestGateArgs;
  /** Maximum of workers of the candidate while the gate runs. They count in the account's quota. Default 1. */
  candidateWorkers?: pulumi.Input<number>;
  /**
   * A second job or `request`, on the endpoint itself after it has taken the new settings. If it fails, the endpoint gets the
   * old settings back. `true`: the gate's. Default: none.
   */
  verify?: boolean | GateArgs | (NoJob<GateArgs> & { request: ProvingRequest });
}

/**
 * An endpoint that takes a change only after a smoke job, or a request, has passed. New settings go to a candidate first: a second
 * endpoint, which costs nothing because its maximum is 0 workers between jobs. If the candidate passes, the endpoint
 * takes the settings, and the old template is deleted last. The endpoint's id and addresses never change. If it fails, the
 * deployment fails with the reason, and the endpoint keeps its settings. The next `pulumi up` continues from there, with
 * another image or with the old one.
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
 *
 * @example A load balancer that takes only images which answer fast enough
 * ```ts
 * import { GatedEndpoint } from "pulumi-computecloud";
 *
 * const api = new GatedEndpoint("api", {
 *   type: "LOAD_BALANCER",
 *   image: "registry.example.com/api:2.0.0",
 *   cpu: [{ id: "cpu5c", vcpuCount: 4 }],
 *   scaling: { type: "REQUEST_COUNT", requestCount: 16 },
 *   gate: {
 *     request: {
 *       path: "/predict",
 *       body: { text: "ping" },
 *       requests: 10,
 *       total: { p95: "2s" },
 *       timeout: "10m",
 *     },
 *   },
 * });
 * ```
 */
export class GatedEndpoint<Type extends EndpointType = "QUEUE"> extends pulumi.ComponentResource {
  /** Id of the endpoint, as `endpointId`. It never changes. */
  readonly id: pulumi.Output<string>;
  /** Id of the endpoint. It never changes. */
  readonly endpointId: pulumi.Output<string>;
  readonly name: pulumi.Output<string>;
  readonly type: pulumi.Output<string>;
  /** Addresses of the queue's operations, where `{job_id}` stands for the job's id, or of the load balancer. */
  readonly requestUrls: pulumi.Output<Type extends "QUEUE" ? QueueUrls : LoadBalancerUrls>;
  /** Changes with every update of the endpoint by this provider. */
  readonly revision: pulumi.Output<number>;
  /** Id of the candidate, which gets new settings first. */
  readonly candidateId: pulumi.Output<string>;
  /** Measurements of the gate's jobs when they last passed. */
  readonly measured: pulumi.Output<SmokeFigures | undefined>;
  /** Measurements of the gate's requests when they last passed. */
  readonly measuredRequests: pulumi.Output<RequestFigures | undefined>;

  /*
   * The gate is only an order. Template and endpoint depend on it, so the engine does not touch them if it fails.
   *
   * The live template is replaced, not updated. The engine deletes the old one at the end of a successful run, so the
   * endpoint can go back to it until then. An update of the endpoint that fails halfway is not undone: the next run
   * continues it.
   */
  constructor(name: string, args: GatedEndpointArgs<Type>, options: pulumi.ComponentResourceOptions = {}) {
    // `protect` is meant for the endpoint. Templates and candidate are replaced and must stay deletable.
    const { protect, ...others } = options;
    super("computecloud:index:GatedEndpoint", name, {}, others);
    refuseDeletedWith(`GatedEndpoint "${name}"`, options);
    const { gate, candidateWorkers = 1, verify, type = "QUEUE" } = args ?? {};
    refuseMixed(`GatedEndpoint "${name}": gate`, gate);
    refuseMixed(`GatedEndpoint "${name}": verify`, verify);
    if (gate === undefined || (isJob(gate) && gate.input === undefined)) {
      throw new pulumi.RunError(
        `GatedEndpoint "${name}" needs gate: { input: … }, the job that a new image has to pass, or gate: { request: … }.`,
      );
    }
    if (isJob(gate) && type === "LOAD_BALANCER") {
      throw new pulumi.RunError(
        `GatedEndpoint "${name}": a load balancer runs no jobs. Give gate: { request: { path: … } }, which its server answers.`,
      );
    }
    const aside = (suffix = "") => ({ parent: this, protect: false, aliases: formerNames(suffix, options) });
    const container = {
      ...pick(args, CONTAINER),
      serverless: true,
      category: args.cpu === undefined ? ("NVIDIA" as const) : ("CPU" as const),
    };

    const candidate = new ServerlessContainer(
      `${name}-candidate`,
      {
        ...pick(args, TRIED),
        type,
        template: new Template(`${name}-candidate`, container, aside("-candidate")),
        workers: { min: 0, max: 0 },
        scaling: { type: "REQUEST_COUNT", requestCount: 1 },
      },
      aside("-candidate"),
    );
    const tried = { endpoint: candidate, workersMax: candidateWorkers };
    const passed = isJob(gate)
      ? new SmokeJob(`${name}-gate`, { ...omit(gate, ["request"]), ...tried }, aside("-gate"))
      : new SmokeRequest(`${name}-gate`, { ...gate.request, ...tried }, aside("-gate"));
    const live = new ServerlessContainer(
      name,
      {
        ...omit(args, [...CONTAINER, "gate", "candidateWorkers", "verify"]),
        type,
        // mutant ungated: new Template(name, container, aside())
        template: new Template(name, container, { ...aside(), dependsOn: passed, replaceOnChanges: ["*"] }),
        ...(verify && { verify: verify === true ? verificationOf(gate) : pulumi.output(verify) }),
      },
      {
        parent: this,
        ...(protect !== undefined && { protect }),
        dependsOn: passed,
        // A ServerlessContainer of the same name becomes a gated one and keeps its endpoint.
        aliases: [...aside().aliases, { parent: options.parent ?? pulumi.rootStackResource }],
      },
    );

    this.id = live.id;
    this.endpointId = live.id;
    this.name = live.name;
    this.type = live.type;
    this.requestUrls = live.requestUrls as typeof this.requestUrls;
    this.revision = live.revision;
    this.candidateId = candidate.id;
    const none = pulumi.output(undefined);
    this.measured = passed instanceof SmokeJob ? passed.measured : none;
    this.measuredRequests = passed instanceof SmokeRequest ? passed.measured : none;
    const { endpointId, requestUrls, revision, candidateId, measured, measuredRequests } = this;
    const common = { name: this.name, type: this.type };
    this.registerOutputs({ endpointId, ...common, requestUrls, revision, candidateId, measured, measuredRequests });
  }
}

/**
 * A child's former names. The engine passes a component's on only in the run that records it under its new name. If the gate
 * fails there, the next run would take the endpoint for another one and replace it.
 */
function formerNames(suffix: string, { aliases = [] }: pulumi.ComponentResourceOptions) {
  // One of another parent may be the name of another component there.
  return aliases.flatMap((alias): pulumi.Alias[] =>
    isPlain(alias) && alias.name !== undefined && !("parent" in alias)
      ? [{ name: pulumi.interpolate`${alias.name}${suffix}` }]
      : [],
  );
}

type AnyGate = MeasuringGateArgs | RequestGateArgs;
const isJob = (gate: AnyGate): gate is MeasuringGateArgs => (gate.request ?? undefined) === undefined;

/**
 * Refuses what stands beside a request, which nothing would read: a gate without its `expect` proves less than it says.
 *
 * @throws pulumi.RunError
 */
function refuseMixed(where: string, gate: unknown): void {
  if (!isPlain(gate) || (gate.request ?? undefined) === undefined) return;
  const beside = Object.keys(gate).filter((key) => key !== "request" && (gate[key] ?? undefined) !== undefined);
  if (beside.length === 0) return;
  throw new pulumi.RunError(
    `${where} is a request, which does not read ${beside.join(", ")} beside it: ` +
      (beside.includes("input") ? "a gate is a job or a request, so remove one of them" : "move that into request") +
      ".",
  );
}

/** The arguments that a verification takes from a gate. */
const JOB = ["input", "expect", "timeout", "retries"] as const;
const REQUEST = ["path", "method", "headers", "body", "expect", "chat", "model", "timeout", "retries"] as const;
const verificationOf = (gate: AnyGate) =>
  isJob(gate) ? pulumi.output(pick(gate, JOB)) : pulumi.output({ request: pick(gate.request, REQUEST) });

/** The arguments that go to the template. All container settings have to pass the gate. */
const CONTAINER = [...OF_FLEETS, "entrypoint", "cmd"] as const;

/** Further arguments that the candidate shares with the endpoint. */
const TRIED = ["gpu", "cpu", "dataCenterIds", "networkVolumes", "globalVolumes", "timeout"] as const;

function pick<T extends object, Key extends keyof T>(from: T, keys: readonly Key[]): Pick<T, Key> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => keys.some((key) => key === name))) as Pick<T, Key>;
}

function omit<T extends object, Key extends keyof T>(from: T, keys: readonly Key[]): Omit<T, Key> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => keys.every((key) => key !== name))) as Omit<T, Key>;
}
