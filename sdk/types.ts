// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { Input } from "@pulumi/pulumi";

export type GpuTypeId =
  | "AMD Instinct MI300X OAM"
  | "NVIDIA A100 80GB PCIe"
  | "NVIDIA A100-SXM4-40GB"
  | "NVIDIA A100-SXM4-80GB"
  | "NVIDIA A30"
  | "NVIDIA A40"
  | "NVIDIA B200"
  | "NVIDIA B300 SXM6 AC"
  | "NVIDIA GeForce RTX 3070"
  | "NVIDIA GeForce RTX 3080"
  | "NVIDIA GeForce RTX 3080 Ti"
  | "NVIDIA GeForce RTX 3090"
  | "NVIDIA GeForce RTX 3090 Ti"
  | "NVIDIA GeForce RTX 4070 Ti"
  | "NVIDIA GeForce RTX 4080"
  | "NVIDIA GeForce RTX 4080 SUPER"
  | "NVIDIA GeForce RTX 4090"
  | "NVIDIA GeForce RTX 5080"
  | "NVIDIA GeForce RTX 5090"
  | "NVIDIA H100 80GB HBM3"
  | "NVIDIA H100 NVL"
  | "NVIDIA H100 PCIe"
  | "NVIDIA H200"
  | "NVIDIA L4"
  | "NVIDIA L40"
  | "NVIDIA L40S"
  | "NVIDIA RTX 2000 Ada Generation"
  | "NVIDIA RTX 4000 Ada Generation"
  | "NVIDIA RTX 4000 SFF Ada Generation"
  | "NVIDIA RTX 5000 Ada Generation"
  | "NVIDIA RTX 6000 Ada Generation"
  | "NVIDIA RTX A2000"
  | "NVIDIA RTX A4000"
  | "NVIDIA RTX A4500"
  | "NVIDIA RTX A5000"
  | "NVIDIA RTX A6000"
  | "NVIDIA RTX PRO 4500 Blackwell"
  | "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition"
  | "NVIDIA RTX PRO 6000 Blackwell Server Edition"
  | "NVIDIA RTX PRO 6000 Blackwell Workstation Edition"
  | "Tesla V100-FHHL-16GB"
  | "Tesla V100-PCIE-16GB"
  | "Tesla V100-SXM2-16GB"
  | "Tesla V100-SXM2-32GB"
  | (string & {});

/** Storage of one machine, under a path in the container. */
export interface PersistentMountArgs {
  /** GB, at least 10. Grows in place; a smaller one replaces. */
  size: Input<number>;
  /** Path in the container. */
  path: Input<string>;
}

/** A network volume, under a path in the container. */
export interface NetworkMountArgs {
  /** Id of a NetworkVolume in the same data center. Changing it replaces. */
  volumeId: Input<string>;
  /** Path in the container. */
  path: Input<string>;
}

/** A global volume, under a path in the container. */
export interface GlobalMountArgs {
  /** Id of a GlobalVolume. Changing it replaces. */
  volumeId: Input<string>;
  /** Path in the container. Changing it replaces. */
  path: Input<string>;
}

/** Storage that outlives a restart: at most one of `persistent` and `network`, and a global volume. */
export interface MountsArgs {
  /** Storage of the pod's machine. Not offered on CPU pods. Setting or removing it replaces. */
  persistent?: Input<PersistentMountArgs>;
  /** A network volume: at most one. Setting or removing it replaces. */
  network?: Input<Input<NetworkMountArgs>[]>;
  /**
   * A global volume: at most one, on pods with GPUs, alone or beside another mount. How the service takes it is
   * inferred; the error of a refusal says what to do. Setting or removing it replaces.
   */
  global?: Input<Input<GlobalMountArgs>[]>;
}

export type DataCenterId =
  | "AP-IN-2"
  | "AP-JP-1"
  | "CA-MTL-1"
  | "CA-MTL-2"
  | "CA-MTL-3"
  | "EU-CZ-1"
  | "EU-FR-1"
  | "EU-RO-1"
  | "EU-SE-1"
  | "EUR-IS-1"
  | "EUR-IS-2"
  | "EUR-NO-1"
  | "OC-AU-1"
  | "SEA-SG-1"
  | "US-CA-1"
  | "US-CA-2"
  | "US-GA-1"
  | "US-KS-2"
  | "US-OR-1"
  | "US-TX-3"
  | (string & {});

export type ResourceType = "POD" | "CLUSTER" | "SERVERLESS_ENDPOINT" | "NETWORK_VOLUME";
export const ResourceType = {
  Pod: "POD",
  Cluster: "CLUSTER",
  ServerlessEndpoint: "SERVERLESS_ENDPOINT",
  NetworkVolume: "NETWORK_VOLUME",
} as const;

export interface AttachedResourceArgs {
  /** What it is: a ServerlessContainer and a member of a fleet are endpoints, too. */
  type: Input<ResourceType>;
  /** Its id. */
  id: Input<string>;
}

export type CpuFlavorId = "cpu3c" | "cpu3g" | "cpu3m" | "cpu5c" | "cpu5g" | (string & {});

/** CPUs of a pod or worker. */
export interface CpuArgs {
  /** CPU flavor of the catalog, such as `cpu5c`. */
  id: Input<CpuFlavorId>;
  /** A power of two from 2. Memory comes with it. */
  vcpuCount: Input<number>;
}

/** A time of the week, and the workers that an endpoint may have then. */
export interface ScheduleRuleArgs {
  /** Days on which it begins, such as `mon-fri` or `sat,sun`. Default `mon-sun`. */
  days?: Input<string>;
  /** When it begins, `08:00`. */
  from: Input<string>;
  /** When it ends, `20:00`; on the next day where that is not after `from`. */
  to: Input<string>;
  /** Workers that are always on, and billed. Default 0. */
  workersMin?: Input<number>;
  /** Most workers at a time. */
  workersMax: Input<number>;
}

/** Workers of an endpoint. */
export interface ScheduledWorkersArgs {
  /** Workers that are always on, and billed. Default 0. */
  workersMin?: Input<number>;
  /** Most workers at a time. */
  workersMax: Input<number>;
}

/** Workers by the clock: what holds when a run judges the endpoint is its desired state. */
export interface ScheduleArgs {
  /** IANA time zone of all times, such as `Europe/Berlin`. */
  timezone: Input<string>;
  /** The first one that holds counts. */
  rules: Input<Input<ScheduleRuleArgs>[]>;
  /** When no rule holds. Default: the endpoint's own numbers. */
  otherwise?: Input<ScheduledWorkersArgs>;
}

export type FlashBoot = "OFF" | "FLASHBOOT" | "PRIORITY_FLASHBOOT";
export const FlashBoot = { Off: "OFF", Flashboot: "FLASHBOOT", PriorityFlashboot: "PRIORITY_FLASHBOOT" } as const;

/** What a job's output must be; where both are given, both must hold. */
export interface SmokeExpectation {
  /**
   * Compared deeply. Objects may have more members than named here; lists and plain values must be the same: `{ output:
   * { status: "ok" } }`.
   */
  output?: unknown;
  /** JSON Schema, draft 2020-12 unless its `$schema` names draft 7 or older: `{ schema: z.toJSONSchema(Reply) }`. */
  schema?: boolean | object;
}

export type RequestMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
export const RequestMethod = {
  Get: "GET",
  Head: "HEAD",
  Post: "POST",
  Put: "PUT",
  Patch: "PATCH",
  Delete: "DELETE",
} as const;

/** What an answer must be; where several are named, all must hold. */
export interface AnswerExpectation {
  /** HTTP status, or several of which it is one. Default: any from 200 to 299. */
  status?: number | number[];
  /**
   * Compared deeply with the body, which must be JSON. Objects may have more members than named here; lists and plain
   * values must be the same: `{ json: { status: "ok" } }`.
   */
  json?: unknown;
  /** A part of the body, or of a `chat`'s answer. */
  text?: string;
  /** Media type of the body, such as `application/json`; its parameters count only where they are named. */
  contentType?: string;
}

export type GpuPoolList =
  | "ADA_24"
  | "ADA_32_PRO"
  | "ADA_48_PRO"
  | "ADA_80_PRO"
  | "AMPERE_16"
  | "AMPERE_24"
  | "AMPERE_48"
  | "AMPERE_80"
  | "BLACKWELL_180"
  | "BLACKWELL_96"
  | "HOPPER_141"
  | (string & {});

export type ServerlessType = "QB" | "LB";
export const ServerlessType = { Qb: "QB", Lb: "LB" } as const;

export type PlaceList =
  | "AP-IN-2"
  | "AP-JP-1"
  | "CA-MTL-1"
  | "CA-MTL-2"
  | "CA-MTL-3"
  | "EU-CZ-1"
  | "EU-FR-1"
  | "EU-RO-1"
  | "EU-SE-1"
  | "EUR-IS-1"
  | "EUR-IS-2"
  | "EUR-NO-1"
  | "OC-AU-1"
  | "SEA-SG-1"
  | "US-CA-1"
  | "US-CA-2"
  | "US-GA-1"
  | "US-KS-2"
  | "US-OR-1"
  | "US-TX-3"
  | (string & {});

export type ScalerType = "QUEUE_DELAY" | "REQUEST_COUNT";
export const ScalerType = { QueueDelay: "QUEUE_DELAY", RequestCount: "REQUEST_COUNT" } as const;

/**
 * Addresses of a queue's operations; `{job_id}` stands for the job's id. A load balancer has `base` and `health` alone.
 */
export interface EndpointUrls {
  /** Submits a job. */
  run: string;
  /** Submits a job and waits for its end. */
  runSync: string;
  /** State and output of a job. */
  status: string;
  /** Output of a job, piece by piece. */
  stream: string;
  /** Cancels a job. */
  cancel: string;
  /** Runs a failed job again. */
  retry: string;
  /** Removes the jobs that wait. */
  purgeQueue: string;
  /** Counts of jobs and workers; of a load balancer: answers when a worker is ready. */
  health: string;
  /** Base URL of OpenAI's clients, of use where the image serves OpenAI's routes. */
  openai: string;
  /** Of a load balancer: stands before the paths of the container. */
  base?: string;
}

/** How long the first one may wait for a worker if none was ready before it. Default: not checked. */
export interface ColdStartBoundArgs {
  /** Such as `90s`. */
  max: Input<string>;
}

/** Upper bounds of a time's percentiles (nearest rank), such as `500ms`, `2s` or `3m`. */
export interface PercentileBoundsArgs {
  /** Upper bound of the median: `500ms`, `2s`. */
  p50?: Input<string>;
  /** Upper bound of the 90th percentile. */
  p90?: Input<string>;
  /** Upper bound of the 95th percentile. */
  p95?: Input<string>;
  /** Upper bound of the 99th percentile. */
  p99?: Input<string>;
  /** Upper bound of every one. */
  max?: Input<string>;
}

/** How much slower the median and the 95th percentile may be: 1.2 is 20 % slower. Default: not checked. */
export interface ReferenceBoundArgs {
  /** Factor over `liveEndpointId`, which is given as many in turns with this endpoint. */
  live?: Input<number>;
  /** Factor over the last run that passed. The first run is not compared. */
  last?: Input<number>;
}

/** Percentiles (nearest rank) of a time. */
export interface TimePercentiles {
  /** Milliseconds of the median. */
  p50: number;
  /** Milliseconds. */
  p90: number;
  /** Milliseconds. */
  p95: number;
  /** Milliseconds. */
  p99: number;
  /** Milliseconds of the longest. */
  max: number;
}
