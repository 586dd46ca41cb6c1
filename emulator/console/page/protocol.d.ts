/** The protocol between the emulator and its console. Times are ms since the epoch, by the emulator's clock. Money is USD. */

export type Kind =
  | "endpoints"
  | "pods"
  | "clusters"
  | "templates"
  | "networkVolumes"
  | "globalVolumes"
  | "registries"
  | "delegations"
  | "secrets"
  | "sshKeys";

/** One resource in a table. */
export interface Row {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  /** A pod's status, an endpoint's load; empty where a kind has no states. */
  readonly state: string;
  /** Short facts about it. */
  readonly facts: readonly string[];
  /** Its present cost per hour. */
  readonly hourly: number;
  /** An endpoint's workers and jobs. */
  readonly load?: Load;
}

/** How many workers are in each state, and how many jobs wait, run and have failed. */
export interface Load {
  readonly workers: Readonly<Record<"running" | "idle" | "starting" | "throttled" | "unhealthy", number>>;
  /** `workers.max` */
  readonly most: number;
  readonly queued: number;
  readonly inProgress: number;
  readonly failed: number;
  readonly history: readonly Sample[];
}

export interface RequestLine {
  readonly number: number;
  readonly at: number;
  readonly interface: "rest" | "graphql" | "queue" | "endpoint" | "pod";
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  /** 0 = not answered. */
  readonly status: number;
  readonly ms: number;
  readonly refusal?: { readonly by: "service" | "fault"; readonly why: string };
}

export interface DayCost {
  readonly day: string;
  readonly amounts: Readonly<Record<string, number>>;
}

export interface ArmedFault {
  readonly fault: unknown;
  /** How many calls have matched it. */
  readonly seen: number;
}

/** The event `overview`. A field that is absent has not changed. */
export interface Overview {
  /** Whether it replaces everything known before. */
  readonly fresh: boolean;
  readonly clock: { readonly now: number; readonly speed: number };
  readonly resources: readonly Row[];
  readonly removed: readonly Pick<Row, "kind" | "id">[];
  readonly requests: readonly RequestLine[];
  readonly faults?: readonly ArmedFault[];
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly costByDay?: readonly DayCost[];
  readonly addresses?: Addresses;
}

export interface Addresses {
  readonly baseUrl: string;
  readonly serverlessUrl: string;
  readonly graphqlUrl: string;
}

export interface LogLine {
  readonly source: "container" | "system";
  readonly line: string;
  readonly ts: number;
}

export interface WorkerLine {
  readonly id: string;
  readonly status: string;
  /** Runs an older version of the endpoint. */
  readonly stale: boolean;
  readonly version: number;
  readonly gpuTypeId: string | null;
  readonly dataCenterId: string | null;
  readonly jobId: string | null;
  readonly since: number;
}

export interface JobLine {
  readonly id: string;
  readonly status: string;
  /** The beginning of the JSON. */
  readonly input: string;
  readonly output: string;
  readonly createdAt: number;
  /** When it last came into the queue: its creation, or its last retry. */
  readonly queuedAt: number;
  readonly finishedAt: number | null;
  /** ms in the queue. */
  readonly delay: number | null;
  /** ms of the delay in which its worker was starting. */
  readonly coldStart: number;
  /** ms on a worker. */
  readonly execution: number | null;
}

/** An endpoint's load from an instant on: its paid workers and what they cost an hour, its waiting and running jobs. */
export interface Sample {
  readonly at: number;
  readonly workers: number;
  readonly hourly: number;
  readonly queued: number;
  readonly running: number;
}

/** One of the two endpoints of a gated rollout. */
export interface RolloutSide {
  readonly id: string;
  readonly name: string;
  readonly image: string;
  /** `workers.max`; 0 while it is inactive. */
  readonly mostWorkers: number;
  /** When its current release was created. */
  readonly since: number;
  readonly job?: JobLine;
}

/** A gated rollout: changes are tried on the candidate before they reach the live endpoint. */
export interface Rollout {
  readonly candidate: RolloutSide;
  /** Absent until the first change has passed the gate. */
  readonly live?: RolloutSide;
}

export interface EndpointDetail {
  readonly workers: readonly WorkerLine[];
  readonly jobCounts: Readonly<Record<string, number>>;
  /** The latest jobs, newest first. */
  readonly jobs: readonly JobLine[];
  readonly releases: readonly {
    readonly version: number;
    readonly createdAt: number;
    readonly fields: readonly string[];
  }[];
  readonly history: readonly Sample[];
  /** Set if the endpoint is part of a gated rollout. */
  readonly rollout?: Rollout;
}

export type DetailKind = Kind | "workers" | "jobs";

export interface Detail {
  readonly kind: DetailKind;
  readonly id: string;
  /** The stored record, with secrets masked unless requested; null if it does not exist. */
  readonly record: Readonly<Record<string, unknown>> | null;
  /** The last lines of its container's log. */
  readonly log: readonly LogLine[];
  /** A job's streamed chunks that were not fetched yet. */
  readonly stream: readonly unknown[];
  readonly endpoint?: EndpointDetail;
  /** Of a job's page. */
  readonly job?: JobLine;
}
