import type { CallOptions } from "./options";
import type { CreateOptions } from "./outcomes/create";
import type { ListCall } from "./rest/listCall";
import type { LogOptions } from "./rest/logs";
import type { Account, AccountLimits, Balance } from "./schemas/account";
import type { AttachedResource } from "./schemas/attachments";
import type {
  AccountBill,
  BillingQuery,
  ClusterBill,
  ClusterBillingQuery,
  EndpointBill,
  NetworkVolumeBill,
  NetworkVolumeBillingQuery,
  PodBill,
  PodBillingQuery,
  ServerlessBill,
  ServerlessBillingQuery,
} from "./schemas/billing";
import type {
  CpuQuery,
  CpuType,
  DataCenter,
  DataCenterInclude,
  DataCenterQuery,
  GpuQuery,
  GpuType,
  PublicTemplateQuery,
} from "./schemas/catalog";
import type { Cluster, CreateClusterRequest, UpdateClusterRequest } from "./schemas/clusters";
import type { CostCenter, CreateCostCenterRequest, UpdateCostCenterRequest } from "./schemas/costCenters";
import type { CreateGlobalVolumeRequest, GlobalVolume, UpdateGlobalVolumeRequest } from "./schemas/globalVolumes";
import type { LogLine } from "./schemas/logs";
import type { CreateNetworkVolumeRequest, NetworkVolume, UpdateNetworkVolumeRequest } from "./schemas/networkVolumes";
import type { CreatePodRequest, ListPodsQuery, Pod, PodAction, UpdatePodRequest } from "./schemas/pods";
import type {
  CreateDelegationRequest,
  CreateRegistryRequest,
  EcrDelegation,
  Registry,
  UpdateRegistryRequest,
} from "./schemas/registries";
import type { CreateSecretRequest, Secret, UpdateSecretRequest } from "./schemas/secrets";
import type {
  Build,
  CreateEndpointRequest,
  Endpoint,
  EndpointReleases,
  EndpointWorkers,
  PageQuery,
  UpdateEndpointRequest,
} from "./schemas/serverless";
import type { CreateTagRequest, Tag, TagQuery, UpdateTagRequest } from "./schemas/tags";
import type { CreateTemplateRequest, Template, UpdateTemplateRequest } from "./schemas/templates";
import type { Tolerant } from "./values/tolerant";

/*
 * What `client.pods`, `client.templates` and the other nouns can do. They are declared here, apart from their code, so that
 * an editor and the reference show a method with its errors and an example instead of an inferred type.
 */

/**
 * The calls that most nouns of REST have. Their paths are the noun's own, such as `/v2/pods` and `/v2/pods/{id}`.
 *
 * Only `id` is certain to be in an item: any other field may be missing.
 */
export interface CollectionCalls<Item, Create, Update, Query = unknown> {
  /**
   * Every item of the account, all pages of the list. An item without a readable id is left out. Also for `for await`. `GET` of
   * the path.
   *
   * @throws ContractError when the answer has no list, TooLargeError above 1000 pages (`limits.pages`)
   * @example
   * for (const pod of await client.pods.list()) console.log(pod.id, pod.name);
   */
  list(given?: Query & CallOptions): ListCall<Item>;
  /**
   * The same items, one after another. A page is requested when the loop reaches it.
   *
   * @throws ContractError when the answer has no list, TooLargeError above 1000 pages (`limits.pages`)
   * @example
   * for await (const pod of client.pods.iterate()) console.log(pod.id, pod.name);
   */
  iterate(given?: Query & CallOptions): AsyncGenerator<Item, void, undefined>;
  /**
   * One item, by a request of its own. `GET` of the path with the id.
   *
   * @throws NotFoundError when the service has no such id
   * @example
   * const pod = await client.pods.get("xedezhzb9la3ye");
   */
  get(id: string, options?: CallOptions): Promise<Item>;
  /**
   * One item. Reads of the same moment share one list, so the answer may be 2 s old (`readWindowMs`).
   *
   * @returns undefined when the service says that it does not exist, and a list confirms it
   * @example
   * const pod = await client.pods.read("xedezhzb9la3ye");
   * if (pod === undefined) console.log("deleted");
   */
  read(id: string, options?: CallOptions): Promise<Item | undefined>;
  /**
   * Creates one item. It is sent again only when the service cannot have acted on it. When the answer is lost, the item is
   * searched for by its name for up to 90 s. Two items are not ruled out: something on the way may send the request twice.
   * `POST` to the path.
   *
   * @throws UsageError for an unknown field or a wrong type, before anything is sent; ValidationError (422) and
   *   BadRequestError (400) when the service refuses it; BalanceError (402); MayExistError when the answer was lost and no
   *   single item was found; AbortError when the signal ended it after it was sent
   * @example
   * const volume = await client.networkVolumes.create({ name: "models", size: 100, dataCenter: "EU-RO-1" });
   */
  create(body: Create, options?: CreateOptions): Promise<Item>;
  /**
   * Changes the given fields. `PATCH` of the path with the id.
   *
   * @throws UsageError for an unknown field or a wrong type, before anything is sent; NotFoundError; ValidationError (422),
   *   BadRequestError (400) or ConflictError (409) when the service refuses the change
   * @example
   * await client.networkVolumes.update("vol_1a2b", { size: 200 });
   */
  update(id: string, patch: Update, options?: CallOptions): Promise<Item>;
  /**
   * Deletes one item. `DELETE` of the path with the id.
   *
   * @returns true; false when it was gone before, which a list has confirmed
   * @throws BadRequestError (400) or ConflictError (409) when it is in use
   * @example
   * await client.pods.delete("xedezhzb9la3ye");
   */
  delete(id: string, options?: CallOptions): Promise<boolean>;
}

/** Puts tags and cost centers on resources. Repeating a call changes nothing more. */
export interface AttachmentCalls {
  /**
   * `PUT` of `…/{id}/resources/{type}/{resourceId}`; after a 404 or 405 also of `…/{id}/{type}/{resourceId}`.
   *
   * @throws NotFoundError when either of the two does not exist
   * @example
   * await client.tags.attach("tag_1a2b", { type: "POD", id: "xedezhzb9la3ye" });
   */
  attach(id: string, resource: AttachedResource, options?: CallOptions): Promise<void>;
  /**
   * `DELETE` of the same path.
   *
   * @throws NotFoundError when either of the two does not exist
   * @example
   * await client.tags.detach("tag_1a2b", { type: "POD", id: "xedezhzb9la3ye" });
   */
  detach(id: string, resource: AttachedResource, options?: CallOptions): Promise<void>;
}

/** The account of the key. */
export interface AccountCalls {
  /**
   * The account's id and owner. `GET /v2/account`.
   *
   * @throws PermissionError when the key may not ask, NotFoundError where the service is too old to answer
   * @example
   * const { id, email } = await client.account.get();
   */
  get(options?: CallOptions): Promise<Account>;
  /**
   * The account's limits. `GET /v2/account/limits`; no page of the service names the fields inside.
   *
   * @throws PermissionError without the right `account:read`
   * @example
   * const { serverlessWorkers } = await client.account.limits();
   */
  limits(options?: CallOptions): Promise<AccountLimits>;
  /**
   * The account's balance, in USD. `GET /v2/billing/balance`.
   *
   * @throws PermissionError without the right `billing:read`
   * @example
   * const { balanceAmount } = await client.account.balance();
   */
  balance(options?: CallOptions): Promise<Balance>;
}

/** Pods: containers on GPU or CPU machines. `/v2/pods`. Lists omit members of clusters unless `includeClusterPods` is set. */
export interface PodCalls extends CollectionCalls<Pod, CreatePodRequest, UpdatePodRequest, ListPodsQuery> {
  /**
   * Creates a pod. `POST /v2/pods`.
   *
   * @throws what {@link CollectionCalls.create} throws; BadRequestError also when no machine is free
   * @example
   * const pod = await client.pods.create({ name: "train", image: "busybox", disk: 10, gpu: { id: "NVIDIA L4" } });
   */
  create(body: CreatePodRequest, options?: CreateOptions): Promise<Pod>;
  /**
   * Changes a pod; a change of its container restarts it. `PATCH /v2/pods/{id}`.
   *
   * @throws what {@link CollectionCalls.update} throws
   * @example
   * await client.pods.update("xedezhzb9la3ye", { locked: true });
   */
  update(id: string, patch: UpdatePodRequest, options?: CallOptions): Promise<Pod>;
  /**
   * Starts, stops, restarts or terminates a pod. When the answer is lost, the pod's state tells whether to send it again.
   * `POST /v2/pods/{id}/action`.
   *
   * @returns the pod as the service saw it, with a status that may still change; undefined once it is terminated
   * @throws NotFoundError; ConflictError (409) when its state or a lock does not allow it
   * @example
   * await client.pods.action("xedezhzb9la3ye", "stop");
   */
  action(id: string, action: PodAction, options?: CallOptions): Promise<Pod | undefined>;
  /**
   * `action(id, "start")`.
   *
   * @throws what {@link PodCalls.action} throws
   * @example
   * await client.pods.start("xedezhzb9la3ye");
   */
  start(id: string, options?: CallOptions): Promise<Pod | undefined>;
  /**
   * `action(id, "stop")`.
   *
   * @throws what {@link PodCalls.action} throws
   * @example
   * await client.pods.stop("xedezhzb9la3ye");
   */
  stop(id: string, options?: CallOptions): Promise<Pod | undefined>;
  /**
   * `action(id, "restart")`.
   *
   * @throws what {@link PodCalls.action} throws
   * @example
   * await client.pods.restart("xedezhzb9la3ye");
   */
  restart(id: string, options?: CallOptions): Promise<Pod | undefined>;
  /**
   * `action(id, "terminate")`.
   *
   * @throws what {@link PodCalls.action} throws
   * @example
   * await client.pods.terminate("xedezhzb9la3ye");
   */
  terminate(id: string, options?: CallOptions): Promise<Pod | undefined>;
  /**
   * The pod's log, as it grows. It ends when the service ends it, `signal` or `timeoutMs` does, or the loop is left. A lost
   * connection resumes after the last line. A line is not guaranteed to come once: after a long outage old lines may come
   * again. `GET /v2/pods/{id}/logs`.
   *
   * @throws NotFoundError; TooLargeError for an event above 16 Mi characters (`limits.eventLength`); TimeoutError after
   *   `timeoutMs`; ConnectionError after 8 connections in a row without a line
   * @example
   * for await (const { ts, line } of client.pods.logs("xedezhzb9la3ye", { tail: 20 })) console.log(ts, line);
   */
  logs(id: string, options?: LogOptions): AsyncGenerator<LogLine, void, undefined>;
}

/** Clusters: pods on one fast network. `/v2/clusters`. */
export interface ClusterCalls extends CollectionCalls<Cluster, CreateClusterRequest, UpdateClusterRequest> {
  /**
   * Creates a cluster. `POST /v2/clusters`.
   *
   * @throws what {@link CollectionCalls.create} throws; BadRequestError also when no machines are free
   * @example
   * const compute = { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 };
   * const cluster = await client.clusters.create({ name: "train", type: "TRAINING", image: "busybox", compute });
   */
  create(body: CreateClusterRequest, options?: CreateOptions): Promise<Cluster>;
  /**
   * Renames a cluster. `PATCH /v2/clusters/{id}`.
   *
   * @throws what {@link CollectionCalls.update} throws
   * @example
   * await client.clusters.update("cl_1a2b", { name: "train-2" });
   */
  update(id: string, patch: UpdateClusterRequest, options?: CallOptions): Promise<Cluster>;
  /**
   * The member pods, which `client.pods.list()` omits. `GET /v2/clusters/{id}/pods`.
   *
   * @throws NotFoundError
   * @example
   * const members = await client.clusters.pods("cl_1a2b");
   */
  pods(id: string, options?: CallOptions): Promise<Pod[]>;
}

/** Serverless endpoints as REST shows them. `/v2/serverless`. */
export interface ServerlessCalls extends CollectionCalls<Endpoint, CreateEndpointRequest, UpdateEndpointRequest> {
  /**
   * Creates an endpoint. `POST /v2/serverless`.
   *
   * @throws what {@link CollectionCalls.create} throws; BadRequestError also when the account's workers do not suffice
   * @example
   * const endpoint = await client.serverless.create({
   *   name: "chat",
   *   type: "QUEUE",
   *   image: "registry.example.com/chat:1",
   *   gpu: { pools: ["AMPERE_24"] },
   *   scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
   *   timeout: 600_000,
   * });
   */
  create(body: CreateEndpointRequest, options?: CreateOptions): Promise<Endpoint>;
  /**
   * Changes an endpoint. `PATCH /v2/serverless/{id}`.
   *
   * @throws what {@link CollectionCalls.update} throws
   * @example
   * await client.serverless.update("4kqwe7f0", { workers: { min: 0, max: 3, idleTimeout: 10 } });
   */
  update(id: string, patch: UpdateEndpointRequest, options?: CallOptions): Promise<Endpoint>;
  /**
   * One endpoint, by a request of its own.
   *
   * @returns undefined when the service has no such id, and a list confirms it
   * @example
   * const endpoint = await client.serverless.find("4kqwe7f0");
   */
  find(id: string, options?: CallOptions): Promise<Endpoint | undefined>;
  /**
   * The active workers and their states. `GET /v2/serverless/{id}/workers`.
   *
   * @throws NotFoundError
   * @example
   * const { workers = [] } = await client.serverless.workers("4kqwe7f0");
   */
  workers(id: string, options?: CallOptions): Promise<EndpointWorkers>;
  /**
   * The releases, newest first, and the progress of the newest. `GET /v2/serverless/{id}/releases`. Default: the newest 1000.
   *
   * @throws NotFoundError
   * @example
   * const { releases } = await client.serverless.releases("4kqwe7f0", { limit: 10 });
   */
  releases(id: string, given?: PageQuery & CallOptions): Promise<EndpointReleases>;
  /**
   * The builds of an endpoint that comes from a repository, newest first. `GET /v2/serverless/{id}/builds`.
   *
   * @throws NotFoundError
   * @example
   * const [newest] = await client.serverless.builds("4kqwe7f0");
   */
  builds(id: string, options?: CallOptions): Promise<Build[]>;
  /**
   * One build. `GET /v2/serverless/{id}/builds/{buildId}`.
   *
   * @throws NotFoundError
   * @example
   * const { status } = await client.serverless.build("4kqwe7f0", "bld_1a2b");
   */
  build(id: string, buildId: string, options?: CallOptions): Promise<Build>;
  /**
   * The output of a build, as it grows. It ends and resumes as {@link PodCalls.logs}.
   * `GET /v2/serverless/{id}/builds/{buildId}/logs`.
   *
   * @throws what {@link PodCalls.logs} throws
   * @example
   * for await (const { line } of client.serverless.buildLogs("4kqwe7f0", "bld_1a2b")) console.log(line);
   */
  buildLogs(id: string, buildId: string, options?: CallOptions): AsyncGenerator<LogLine, void, undefined>;
  /**
   * A worker's log, as it grows. It ends and resumes as {@link PodCalls.logs}.
   * `GET /v2/serverless/{id}/workers/{workerId}/logs`.
   *
   * @throws what {@link PodCalls.logs} throws
   * @example
   * for await (const { line } of client.serverless.workerLogs("4kqwe7f0", "w1", { tail: 100 })) console.log(line);
   */
  workerLogs(id: string, workerId: string, options?: LogOptions): AsyncGenerator<LogLine, void, undefined>;
}

/** Templates: the settings of a container. `/v2/templates`. Names are unique in the account. */
export interface TemplateCalls extends CollectionCalls<Template, CreateTemplateRequest, UpdateTemplateRequest> {
  /**
   * Creates a template. `POST /v2/templates`.
   *
   * @throws what {@link CollectionCalls.create} throws; BadRequestError also when another template has the name
   * @example
   * const template = await client.templates.create({ name: "chat", image: "registry.example.com/chat:1", serverless: true });
   */
  create(body: CreateTemplateRequest, options?: CreateOptions): Promise<Template>;
  /**
   * Changes a template. `PATCH /v2/templates/{id}`.
   *
   * @throws what {@link CollectionCalls.update} throws
   * @example
   * await client.templates.update("tpl_1a2b", { image: "registry.example.com/chat:2" });
   */
  update(id: string, patch: UpdateTemplateRequest, options?: CallOptions): Promise<Template>;
}

/** Network volumes: storage that outlives pods and workers. `/v2/network-volumes`. Sizes are in GB. */
export interface NetworkVolumeCalls
  extends CollectionCalls<NetworkVolume, CreateNetworkVolumeRequest, UpdateNetworkVolumeRequest> {}

/** Global volumes: storage that belongs to no data center. `/v2/global-volumes`. */
export interface GlobalVolumeCalls
  extends CollectionCalls<GlobalVolume, CreateGlobalVolumeRequest, UpdateGlobalVolumeRequest> {
  /**
   * Creates a global volume. `POST /v2/global-volumes`.
   *
   * @throws what {@link CollectionCalls.create} throws
   * @example
   * const volume = await client.globalVolumes.create({ name: "shared" });
   */
  create(body: CreateGlobalVolumeRequest, options?: CreateOptions): Promise<GlobalVolume>;
  /**
   * Renames a global volume. `PATCH /v2/global-volumes/{id}`.
   *
   * @throws what {@link CollectionCalls.update} throws
   * @example
   * await client.globalVolumes.update("gv_1a2b", { name: "datasets" });
   */
  update(id: string, patch: UpdateGlobalVolumeRequest, options?: CallOptions): Promise<GlobalVolume>;
}

/**
 * Credentials of private image registries. `/v2/registries`. Names are unique in the account; no answer shows the
 * credentials.
 */
export interface RegistryCalls extends CollectionCalls<Registry, CreateRegistryRequest, UpdateRegistryRequest> {
  /**
   * Stores credentials. `POST /v2/registries`.
   *
   * @throws what {@link CollectionCalls.create} throws; BadRequestError also when other credentials have the name
   * @example
   * const { id } = await client.registries.create({ name: "ghcr", username: "robot", password });
   */
  create(body: CreateRegistryRequest, options?: CreateOptions): Promise<Registry>;
  /**
   * Replaces the credentials under the same id; the name stays. `PATCH /v2/registries/{id}`; where REST does not have it,
   * GraphQL's `updateRegistryAuth`.
   *
   * @throws what {@link CollectionCalls.update} throws; GraphqlError when GraphQL refuses it
   * @example
   * await client.registries.update("reg_1a2b", { username: "robot", password });
   */
  update(id: string, credentials: UpdateRegistryRequest, options?: CallOptions): Promise<Registry>;
}

/** Secrets of the account. `/v2/account/secrets`. Names are unique, whatever their case; no answer shows a value. */
export interface SecretCalls extends CollectionCalls<Secret, CreateSecretRequest, UpdateSecretRequest> {
  /**
   * Stores a secret. `POST /v2/account/secrets`.
   *
   * @throws what {@link CollectionCalls.create} throws; ConflictError (409) also when another secret has the name
   * @example
   * const { id } = await client.secrets.create({ name: "hf-token", value });
   */
  create(body: CreateSecretRequest, options?: CreateOptions): Promise<Secret>;
  /**
   * Changes a secret's value or description. `PATCH /v2/account/secrets/{id}`.
   *
   * @throws what {@link CollectionCalls.update} throws
   * @example
   * await client.secrets.update("sec_1a2b", { value });
   */
  update(id: string, patch: UpdateSecretRequest, options?: CallOptions): Promise<Secret>;
}

/** Tags: a key and a value, on pods, clusters, endpoints and volumes. `/v2/tags`. */
export interface TagCalls extends CollectionCalls<Tag, CreateTagRequest, UpdateTagRequest, TagQuery>, AttachmentCalls {
  /**
   * Creates a tag. `POST /v2/tags`. Two tags may have the same key and value.
   *
   * @throws what {@link CollectionCalls.create} throws; PermissionError without the right `tags:write`
   * @example
   * const tag = await client.tags.create({ key: "team", value: "research" });
   */
  create(body: CreateTagRequest, options?: CreateOptions): Promise<Tag>;
  /**
   * Changes a tag's key or value. `PATCH /v2/tags/{id}`.
   *
   * @throws what {@link CollectionCalls.update} throws; PermissionError without the right `tags:write`
   * @example
   * await client.tags.update("tag_1a2b", { value: "serving" });
   */
  update(id: string, patch: UpdateTagRequest, options?: CallOptions): Promise<Tag>;
  /**
   * Every tag with its resources, where the service shows these (`include=resources`).
   *
   * @example
   * for (const { key, value, resources = [] } of await client.tags.listInFull()) console.log(key, value, resources.length);
   */
  listInFull(options?: CallOptions): Promise<Tag[]>;
}

/** Cost centers, to which pods, clusters, endpoints and volumes are attributed. `/v2/cost-centers`. */
export interface CostCenterCalls
  extends CollectionCalls<CostCenter, CreateCostCenterRequest, UpdateCostCenterRequest>,
    AttachmentCalls {
  /**
   * Creates a cost center, at once with up to 100 resources.
   *
   * @throws what {@link CollectionCalls.create} throws
   * @example
   * const resources = [{ type: "NETWORK_VOLUME" as const, id: "vol_1a2b" }];
   * const center = await client.costCenters.create({ value: "research", resources });
   */
  create(body: CreateCostCenterRequest, options?: CreateOptions): Promise<CostCenter>;
  /**
   * Renames a cost center; its resources stay. An older service answers 404 or 405.
   *
   * @throws what {@link CollectionCalls.update} throws
   * @example
   * await client.costCenters.update("cc_1a2b", { value: "training" });
   */
  update(id: string, patch: UpdateCostCenterRequest, options?: CallOptions): Promise<CostCenter>;
  /**
   * The resources of a cost center. `GET /v2/cost-centers/{id}/resources`.
   *
   * @returns undefined when the answer can't be read
   * @throws NotFoundError
   * @example
   * const resources = await client.costCenters.resources("cc_1a2b");
   */
  resources(id: string, options?: CallOptions): Promise<Tolerant<AttachedResource>[] | undefined>;
}

/** Permissions to pull from private ECR repositories. `/v2/registries/delegations`. They never change. */
export interface DelegationCalls
  extends Omit<CollectionCalls<EcrDelegation, CreateDelegationRequest, never>, "get" | "update"> {
  /**
   * Asks for a permission. `POST /v2/registries/delegations`.
   *
   * @throws what {@link CollectionCalls.create} throws
   * @example
   * const resource = "arn:aws:ecr:eu-central-1:123456789012:repository/chat";
   * const delegation = await client.delegations.create({ resource });
   */
  create(body: CreateDelegationRequest, options?: CreateOptions): Promise<EcrDelegation>;
}

/** Public SSH keys of the account: one list, replaced as a whole. `/v2/account/ssh-keys`. */
export interface SshKeyCalls {
  /**
   * All keys, in order. `GET /v2/account/ssh-keys`.
   *
   * @example
   * const keys = await client.sshKeys.get();
   */
  get(options?: CallOptions): Promise<string[]>;
  /**
   * Replaces all keys; an empty list removes them. A change that somebody makes between your `get` and `put` is lost.
   * `PUT /v2/account/ssh-keys`.
   *
   * @throws ValidationError (422) for a key that the service refuses
   * @example
   * await client.sshKeys.put([...(await client.sshKeys.get()), "ssh-ed25519 AAAA… me@example.com"]);
   */
  put(keys: string[], options?: CallOptions): Promise<string[]>;
}

/**
 * What the service offers, with list prices in USD an hour. `/v2/catalog`. With `include`, and `product`, an answer also tells
 * what is free now: that is not reserved, and may be gone at the next call.
 */
export interface CatalogCalls {
  /**
   * GPU types. `GET /v2/catalog/gpus`.
   *
   * @example
   * const gpus = await client.catalog.gpus({ include: ["AVAILABILITY"], product: ["SERVERLESS"] });
   */
  gpus(query?: GpuQuery, options?: CallOptions): Promise<GpuType[]>;
  /**
   * One GPU type. `GET /v2/catalog/gpus/{id}`.
   *
   * @throws NotFoundError
   * @example
   * const { memory, price } = await client.catalog.gpu("NVIDIA L4");
   */
  gpu(id: string, query?: GpuQuery, options?: CallOptions): Promise<GpuType>;
  /**
   * CPU flavors. `GET /v2/catalog/cpus`.
   *
   * @example
   * const cpus = await client.catalog.cpus();
   */
  cpus(query?: CpuQuery, options?: CallOptions): Promise<CpuType[]>;
  /**
   * One CPU flavor. `GET /v2/catalog/cpus/{id}`.
   *
   * @throws NotFoundError
   * @example
   * const flavor = await client.catalog.cpu("cpu5c");
   */
  cpu(id: string, query?: CpuQuery, options?: CallOptions): Promise<CpuType>;
  /**
   * Data centers. `GET /v2/catalog/datacenters`.
   *
   * @example
   * const places = await client.catalog.dataCenters({ include: ["GPU_AVAILABILITY"] });
   */
  dataCenters(query?: DataCenterQuery, options?: CallOptions): Promise<DataCenter[]>;
  /**
   * One data center. `GET /v2/catalog/datacenters/{id}`.
   *
   * @throws NotFoundError
   * @example
   * const { networkVolumeTypes } = await client.catalog.dataCenter("EU-RO-1");
   */
  dataCenter(id: string, query?: DataCenterInclude, options?: CallOptions): Promise<DataCenter>;
  /**
   * Public templates, at most 100. `GET /v2/catalog/templates`. Default: the official ones.
   *
   * @example
   * const templates = await client.catalog.templates({ source: "verified" });
   */
  templates(given?: PublicTemplateQuery & CallOptions): Promise<Template[]>;
}

/**
 * What was spent, in USD: a record for each resource and time bucket, and totals. `/v2/billing`. Times are RFC 3339. Default:
 * the last 30 days, by day.
 *
 * Each call throws PermissionError when the key may not read bills.
 */
export interface BillingCalls {
  /**
   * The whole account, by what was billed. `GET /v2/billing`.
   *
   * @example
   * const { metadata } = await client.billing.summary({ bucketSize: "day", lastN: 7 });
   * console.log(metadata?.totals?.totalAmount);
   */
  summary(query?: BillingQuery, options?: CallOptions): Promise<AccountBill>;
  /**
   * Pods. `GET /v2/billing/pods`.
   *
   * @example
   * const bill = await client.billing.pods({ podId: "xedezhzb9la3ye" });
   */
  pods(query?: PodBillingQuery, options?: CallOptions): Promise<PodBill>;
  /**
   * Serverless endpoints of the account. `GET /v2/billing/serverless`.
   *
   * @example
   * const bill = await client.billing.serverless({ serverlessId: "4kqwe7f0" });
   */
  serverless(query?: ServerlessBillingQuery, options?: CallOptions): Promise<ServerlessBill>;
  /**
   * The service's public endpoints. `GET /v2/billing/endpoints`.
   *
   * @example
   * const bill = await client.billing.endpoints();
   */
  endpoints(query?: BillingQuery, options?: CallOptions): Promise<EndpointBill>;
  /**
   * Network volumes. `GET /v2/billing/network-volumes`.
   *
   * @example
   * const bill = await client.billing.networkVolumes({ networkVolumeId: "vol_1a2b" });
   */
  networkVolumes(query?: NetworkVolumeBillingQuery, options?: CallOptions): Promise<NetworkVolumeBill>;
  /**
   * Clusters. `GET /v2/billing/clusters`.
   *
   * @example
   * const bill = await client.billing.clusters({ clusterId: "cl_1a2b" });
   */
  clusters(query?: ClusterBillingQuery, options?: CallOptions): Promise<ClusterBill>;
}
