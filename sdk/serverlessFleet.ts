// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { ComputeCloudFleet } from "./internal/fleet";
import type { RevisedTemplate } from "./internal/resource";
import type {
  EndpointUrls,
  FlashBoot,
  GpuPoolList,
  PlaceList,
  ScalerType,
  ScheduleArgs,
  ServerlessType,
} from "./types";

/** An endpoint of a fleet: the arguments of a ServerlessEndpoint, or an image in place of the template. */
export interface FleetEndpointArgs {
  /** At least 3 characters; need not be unique. Default: the fleet's logical name, the member's and a short hash. */
  name?: Input<string>;
  /** A serverless Template, whose changes reach the endpoint in the same run. Give this, `templateId` or `image`. */
  template?: RevisedTemplate;
  /**
   * Id of a serverless template. The `id` of a Template in the same program follows that Template's changes, as
   * `template` does. A refresh finds a copy that differs from its template, and the next `up` repairs it. Required
   * without `template`.
   */
  templateId?: Input<string>;
  /**
   * A number whose change copies the template again, such as the template's `revision` from another stack. Default:
   * none. Write-only: changes made elsewhere are not seen.
   */
  templateRevision?: Input<number>;
  /**
   * GPU pools in order of priority, comma separated, minus single GPU types: `AMPERE_16,-NVIDIA RTX A4500`. A change
   * recreates the workers.
   */
  gpuIds?: Input<GpuPoolList>;
  /** GPUs of a worker. Default 1. */
  gpuCount?: Input<number>;
  /** Queue (`QB`) or load balancing (`LB`). A change deletes the endpoint and creates another. Default `QB`. */
  type?: Input<ServerlessType>;
  /** Where workers may run, country codes or data centers, comma separated; empty: anywhere. Default: none. */
  locations?: Input<PlaceList>;
  /**
   * Id of a NetworkVolume, which workers find at `/runpod-volume`; restricts them to its data center. Default: none.
   */
  networkVolumeId?: Input<string>;
  /**
   * Id of a GlobalVolume, which workers find at `/runpod-volume`, wherever they run; not together with
   * `networkVolumeId`. Default: none.
   */
  globalVolumeId?: Input<string>;
  /** Seconds that an idle worker stays, 1 to 3600. Default 10. */
  idleTimeout?: Input<number>;
  /** Whether workers are added by the delay in the queue or by the number of requests. Default `QUEUE_DELAY`. */
  scalerType?: Input<ScalerType>;
  /** Seconds of queue delay, or requests a worker, from which workers are added. At least 1. Default 4. */
  scalerValue?: Input<number>;
  /** Workers that are always on, and billed. Default 0. */
  workersMin?: Input<number>;
  /** Most workers at a time. Left out, the service may lower it. Default 3. */
  workersMax?: Input<number>;
  /**
   * Workers by the clock, in place of the endpoint's own. A run brings the endpoint to what holds at that moment, so
   * that something has to run at its times: a pipeline's cron. A change of it changes nothing but the workers of now.
   * Default: none.
   */
  schedule?: Input<ScheduleArgs>;
  /**
   * Models that are cached on the machines of its workers, as `https://huggingface.co/<owner>/<model>:<revision>`. Only
   * through GraphQL. Default: the endpoint's present models.
   */
  models?: Input<Input<string>[]>;
  /** How fast stopped workers come back. Left out, an adopted endpoint keeps what it has. Default `OFF`. */
  flashBootType?: Input<FlashBoot>;
  /** Whether a run waits until `workersMin` workers are ready. Default false. */
  awaitWorkers?: Input<boolean>;
  /** How long it waits, such as "90s" or "15m". Default `15m`. */
  createTimeout?: Input<string>;
  /** Container image with its tag, for which the fleet keeps a template. Give this or `templateId`. */
  image?: Input<string>;
  /** Command of the container, one string; empty: the image's own. Default: none. */
  args?: Input<string>;
  /**
   * Container disk in GB, at least 1; wiped at every restart. Default: the service's; removing it later keeps the size.
   */
  disk?: Input<number>;
  /**
   * `port/protocol`, such as `8888/http` or `22/tcp`; at most 10 http. Default: none. Another order is not a change.
   */
  ports?: Input<Input<string>[]>;
  /**
   * Environment, at most 50 variables. Variables that the platform adds are not drift. Default: none. Always a secret.
   */
  env?: Input<Record<string, Input<string>>>;
  /** Id of the Registry whose credentials pull the image. Default: none, the image is public. */
  registry?: Input<string>;
  /**
   * Adopts the existing resource with this id instead of creating one. Differences are updated in place; a difference
   * that needs a replacement is an error. Removing `adoptId` later changes nothing. Default: none.
   */
  adoptId?: Input<string>;
}

/** Default arguments of a fleet's members. */
export interface FleetDefaultsArgs {
  /** A serverless Template, whose changes reach the endpoint in the same run. Give this, `templateId` or `image`. */
  template?: RevisedTemplate;
  /**
   * Id of a serverless template. The `id` of a Template in the same program follows that Template's changes, as
   * `template` does. A refresh finds a copy that differs from its template, and the next `up` repairs it. Required
   * without `template`.
   */
  templateId?: Input<string>;
  /**
   * A number whose change copies the template again, such as the template's `revision` from another stack. Default:
   * none. Write-only: changes made elsewhere are not seen.
   */
  templateRevision?: Input<number>;
  /**
   * GPU pools in order of priority, comma separated, minus single GPU types: `AMPERE_16,-NVIDIA RTX A4500`. A change
   * recreates the workers.
   */
  gpuIds?: Input<GpuPoolList>;
  /** GPUs of a worker. */
  gpuCount?: Input<number>;
  /** Queue (`QB`) or load balancing (`LB`). A change deletes the endpoint and creates another. */
  type?: Input<ServerlessType>;
  /** Where workers may run, country codes or data centers, comma separated; empty: anywhere. */
  locations?: Input<PlaceList>;
  /**
   * Id of a NetworkVolume, which workers find at `/runpod-volume`; restricts them to its data center. Default: none.
   */
  networkVolumeId?: Input<string>;
  /**
   * Id of a GlobalVolume, which workers find at `/runpod-volume`, wherever they run; not together with
   * `networkVolumeId`. Default: none.
   */
  globalVolumeId?: Input<string>;
  /** Seconds that an idle worker stays, 1 to 3600. */
  idleTimeout?: Input<number>;
  /** Whether workers are added by the delay in the queue or by the number of requests. */
  scalerType?: Input<ScalerType>;
  /** Seconds of queue delay, or requests a worker, from which workers are added. At least 1. */
  scalerValue?: Input<number>;
  /** Workers that are always on, and billed. */
  workersMin?: Input<number>;
  /** Most workers at a time. Left out, the service may lower it. Default 3. */
  workersMax?: Input<number>;
  /**
   * Workers by the clock, in place of the endpoint's own. A run brings the endpoint to what holds at that moment, so
   * that something has to run at its times: a pipeline's cron. A change of it changes nothing but the workers of now.
   * Default: none.
   */
  schedule?: Input<ScheduleArgs>;
  /**
   * Models that are cached on the machines of its workers, as `https://huggingface.co/<owner>/<model>:<revision>`. Only
   * through GraphQL. Default: the endpoint's present models.
   */
  models?: Input<Input<string>[]>;
  /** How fast stopped workers come back. Left out, an adopted endpoint keeps what it has. Default `OFF`. */
  flashBootType?: Input<FlashBoot>;
  /** Whether a run waits until `workersMin` workers are ready. */
  awaitWorkers?: Input<boolean>;
  /** How long it waits, such as "90s" or "15m". */
  createTimeout?: Input<string>;
  /** Container image with its tag, for which the fleet keeps a template. Give this or `templateId`. */
  image?: Input<string>;
  /** Command of the container, one string; empty: the image's own. */
  args?: Input<string>;
  /**
   * Container disk in GB, at least 1; wiped at every restart. Default: the service's; removing it later keeps the size.
   */
  disk?: Input<number>;
  /** `port/protocol`, such as `8888/http` or `22/tcp`; at most 10 http. Another order is not a change. */
  ports?: Input<Input<string>[]>;
  /** Environment, at most 50 variables. Variables that the platform adds are not drift. Always a secret. */
  env?: Input<Record<string, Input<string>>>;
  /** Id of the Registry whose credentials pull the image. Default: none, the image is public. */
  registry?: Input<string>;
}

export interface ServerlessFleetArgs {
  /**
   * The endpoints, by names of your choice. An endpoint's own name consists of the fleet's, the member's and a short
   * hash. Updates in place.
   */
  endpoints: Input<Record<string, Input<FleetEndpointArgs>>>;
  /**
   * Arguments of every member that does not set them. A member's `env` is added to these. A member's template replaces
   * container settings from here, and a member's container settings replace a template. Default: none. Updates in
   * place.
   */
  defaults?: Input<FleetDefaultsArgs>;
  /**
   * Names of members that were removed from `endpoints` and keep running, so that another resource can adopt them.
   * Default: none; removed members are deleted. Updates in place.
   */
  released?: Input<Input<string>[]>;
  /**
   * Whether a change that would delete or replace a member is an error instead. In TypeScript Pulumi's option
   * `protect`, or that of a parent, sets it where it is left out. The fleet as a whole is protected by that option.
   * Default false. Changing it alone updates nothing.
   */
  protectMembers?: Input<boolean>;
}

/**
 * Many serverless endpoints as one resource. A deployment changes several at a time. That is far faster than separate
 * resources, because the engine saves its state after each of those.
 *
 * A member behaves like a ServerlessEndpoint: it is checked, named, compared and adopted, and scaled to 0 before it is
 * deleted. If some members fail, the others are created and recorded, and the next `up` creates only the failed ones.
 * Removing a member deletes only that member. For a member with an `image`, the fleet keeps a template.
 *
 * @example Three models that share their settings
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import { Registry, ServerlessFleet, Template } from "pulumi-computecloud";
 *
 * const config = new pulumi.Config();
 * const registry = new Registry("images", {
 *   username: "ci",
 *   password: config.requireSecret("registryPassword"),
 * });
 * const template = new Template("chat", {
 *   image: "registry.example.com/chat:1.4.0",
 *   registry: registry.id,
 *   serverless: true,
 *   disk: 20,
 *   env: { MODEL_PATH: "/runpod-volume" },
 * });
 * const models = new ServerlessFleet("models", {
 *   defaults: {
 *     gpuIds: "AMPERE_24,ADA_24",
 *     workersMax: 2,
 *     registry: registry.id,
 *     env: { LOG: "info" },
 *   },
 *   endpoints: {
 *     chat: { image: "registry.example.com/chat:1.4.0", workersMax: 5 },
 *     embed: {
 *       image: "registry.example.com/embed:2.1.0",
 *       gpuIds: "AMPERE_16",
 *     },
 *     rank: { templateId: template.id, idleTimeout: 60 },
 *   },
 * });
 * ```
 *
 * @see https://docs.runpod.io/serverless/endpoints/endpoint-configurations (GraphQL saveEndpoint)
 */
export class ServerlessFleet extends ComputeCloudFleet {
  /** Ids of the endpoints, by the member's name. */
  declare readonly ids: Output<Record<string, string>>;
  /** Numbers that change with every update of the endpoint by this provider. */
  declare readonly revisions: Output<Record<string, number>>;
  /** Addresses for requests to the endpoints. */
  declare readonly requestUrls: Output<Record<string, EndpointUrls>>;
  /** Ids of the templates that the fleet keeps. */
  declare readonly templateIds: Output<Record<string, string>>;

  constructor(name: string, args: ServerlessFleetArgs, options?: CustomResourceOptions) {
    super(
      {
        provider: "serverlessFleet",
        type: "ServerlessFleet",
        outputs: ["ids", "revisions", "requestUrls", "templateIds"],
        keeps: true,
      },
      name,
      args,
      options,
    );
  }
}
