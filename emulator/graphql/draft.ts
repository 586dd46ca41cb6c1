import { createHash } from "node:crypto";
import { LEAST } from "../model/bounds";
import { resolveTemplate } from "../model/container";
import { checkEndpoint } from "../model/endpointRules";
import type { EndpointDraft } from "../model/endpoints";
import { sent } from "../model/sent";
import { badRequest } from "../problem";
import type { Service } from "../service";
import type { Container, EndpointRecord, FlashBoot, Scaling, TemplateRecord } from "../store/records";
import { cudaFrom, dataCentersAt, parseGpuIds, parseInstanceIds } from "./compute";
import { type EnvironmentVariable, toMap } from "./environment";
import { type TemplateInput, templateFrom } from "./templates";

/** A received `EndpointInput`. The schema has set its defaults, but an explicit `null` stays null. */
export interface EndpointInput {
  readonly id?: string | null;
  readonly name: string;
  readonly gpuIds?: string | null;
  readonly templateId?: string | null;
  readonly template?: TemplateInput | null;
  readonly type?: string | null;
  readonly instanceIds?: readonly string[] | null;
  readonly locations?: string | null;
  readonly networkVolumeId?: string | null;
  readonly networkVolumeIds?: readonly { readonly networkVolumeId: string }[] | null;
  readonly volumes?: readonly { readonly volumeId: string; readonly volumeType: string }[] | null;
  readonly idleTimeout?: number | null;
  readonly scalerType?: string | null;
  readonly scalerValue?: number | null;
  readonly workersMax?: number | null;
  readonly workersMin?: number | null;
  readonly gpuCount?: number | null;
  readonly executionTimeoutMs?: number | null;
  readonly flashBootType?: FlashBoot | null;
  readonly allowedCudaVersions?: string | null;
  readonly minCudaVersion?: string | null;
  readonly env?: readonly EnvironmentVariable[] | null;
  readonly modelReferences?: readonly string[] | null;
  readonly flashEnvironmentId?: string | null;
  readonly workersPFBTarget?: number | null;
  readonly activeBuildid?: string | null;
  readonly idePodId?: string | null;
}

/** Defaults of `saveEndpoint` for omitted fields, in creates and in updates. */
const ENDPOINT_DEFAULTS = {
  idleTimeout: 10,
  scalerType: "QUEUE_DELAY",
  scalerValue: 4,
  workersMax: 3,
  workersMin: 0,
  gpuCount: 1,
} as const;

const SHORTEST_NAME = 3;

/** The draft of an input. @param before the replaced endpoint; undefined for a new one */
export function draftFrom(service: Service, input: EndpointInput, before: EndpointRecord | undefined): EndpointDraft {
  if (input.name.trim().length < SHORTEST_NAME)
    throw badRequest(`Endpoint name must be at least ${SHORTEST_NAME} characters`);
  const locations = input.locations || null;
  const rest = {
    name: input.name,
    type: typeFrom(input, before),
    gpu: gpuFrom(service, input, before),
    workers: {
      min: input.workersMin ?? ENDPOINT_DEFAULTS.workersMin,
      max: input.workersMax ?? ENDPOINT_DEFAULTS.workersMax,
      idleTimeout: input.idleTimeout ?? ENDPOINT_DEFAULTS.idleTimeout,
    },
    scaling: scalingFrom(input),
    dataCenterIds: dataCentersAt(service, locations),
    locations,
    networkVolumes: volumesFrom(input, before),
    globalVolumes: globalVolumesFrom(service, input, before),
    timeout: input.executionTimeoutMs ?? before?.timeout ?? 0,
    // Older clients request FlashBoot by a suffix of the name.
    flashboot: input.flashBootType ?? (input.name.endsWith("-fb") ? "FLASHBOOT" : (before?.flashboot ?? "OFF")),
    modelReferences: modelsFrom(input, before),
    deployment: {
      ...before?.deployment,
      ...sent({
        flashEnvironmentId: input.flashEnvironmentId ?? undefined,
        workersPFBTarget: input.workersPFBTarget ?? undefined,
        activeBuildid: input.activeBuildid ?? undefined,
        idePodId: input.idePodId ?? undefined,
      }),
    },
  };
  const cpu = isCpu(input) ? parseInstanceIds(input.instanceIds) : null;
  const template = templateOf(service, input, before);
  const draft = { ...rest, cpu, ...containerOf(template, input, before) };
  checkEndpoint(service, draft);
  // An inline template is stored last, after everything was checked.
  if (template !== undefined && input.template != null) service.store.templates.put(template);
  return draft;
}

/** The container settings of the template, with the endpoint's own environment on top. */
export function containerOf(
  template: TemplateRecord | undefined,
  input: Pick<EndpointInput, "env" | "modelReferences">,
  before: EndpointRecord | undefined,
): Container & { readonly templateId: string } {
  const source = template ?? before;
  if (source === undefined) throw badRequest("templateId is required");
  const { image, args, disk, ports, registry } = source;
  const [model] = modelsFrom(input, before);
  return {
    image,
    args,
    disk,
    ports,
    registry,
    env: { ...(model !== undefined && { MODEL_NAME: model }), ...source.env, ...toMap(input.env ?? []) },
    templateId: template?.id ?? before?.templateId ?? "",
  };
}

function modelsFrom(
  { modelReferences }: Pick<EndpointInput, "modelReferences">,
  before: EndpointRecord | undefined,
): readonly string[] {
  return modelReferences?.map(atCommit) ?? before?.modelReferences ?? [];
}

/** The template to use; undefined for the hidden template of an endpoint that REST made. */
export function templateOf(
  service: Service,
  { template, templateId }: Pick<EndpointInput, "template" | "templateId">,
  before: EndpointRecord | undefined,
): TemplateRecord | undefined {
  if (template != null && templateId != null) throw badRequest("template and templateId exclude each other");
  if (template != null) return templateFrom(service, { ...template, isServerless: true });
  if (before !== undefined && (templateId == null || templateId === before.templateId))
    return service.store.templates.get(before.templateId);
  return resolveTemplate(service, templateId ?? undefined, "serverless");
}

function typeFrom({ type }: EndpointInput, before: EndpointRecord | undefined): EndpointRecord["type"] {
  if (type == null) return before?.type ?? "QUEUE";
  if (type === "QB" || type === "LB") return type === "QB" ? "QUEUE" : "LOAD_BALANCER";
  throw badRequest("type must be QB or LB");
}

/** With CPU instances it is a CPU endpoint, and GPU ids are ignored. */
const isCpu = (input: EndpointInput): input is EndpointInput & { readonly instanceIds: readonly string[] } =>
  input.instanceIds != null && input.instanceIds.length > 0;

function gpuFrom(service: Service, input: EndpointInput, before: EndpointRecord | undefined): EndpointRecord["gpu"] {
  if (isCpu(input)) return null;
  if (!input.gpuIds) throw badRequest("GPU ids are required");
  return {
    ...parseGpuIds(service, input.gpuIds),
    count: input.gpuCount ?? ENDPOINT_DEFAULTS.gpuCount,
    ...cudaFrom(input, before?.gpu),
  };
}

function scalingFrom(input: EndpointInput): Scaling {
  const value = input.scalerValue ?? ENDPOINT_DEFAULTS.scalerValue;
  if (value < LEAST.requestCount) throw badRequest(`scalerValue must be at least ${LEAST.requestCount}`);
  const type = input.scalerType ?? ENDPOINT_DEFAULTS.scalerType;
  if (type === "QUEUE_DELAY") return { type, queueDelay: value };
  if (type === "REQUEST_COUNT") return { type, requestCount: value };
  throw badRequest("scalerType must be QUEUE_DELAY or REQUEST_COUNT");
}

function globalVolumesFrom(
  { settings }: Service,
  { volumes }: EndpointInput,
  before: EndpointRecord | undefined,
): readonly string[] {
  if (volumes !== undefined && settings.globalMounts === "refused")
    throw badRequest('Field "volumes" is not defined by type "EndpointInput".');
  const other = volumes?.find(({ volumeType }) => volumeType !== "OBJECT_STORE_VOLUME");
  if (other !== undefined) throw badRequest(`volumeType '${other.volumeType}' is not supported on an endpoint`);
  return volumes?.map(({ volumeId }) => volumeId) ?? before?.globalVolumes ?? [];
}

/** The volumes of an input. The list wins over the single id. Only an empty list detaches: without either, they stay. */
function volumesFrom(input: EndpointInput, before: EndpointRecord | undefined): readonly string[] {
  if (input.networkVolumeIds != null) return input.networkVolumeIds.map(({ networkVolumeId }) => networkVolumeId);
  return input.networkVolumeId ? [input.networkVolumeId] : (before?.networkVolumes ?? []);
}

/** What the service keeps of a reference to a model: a branch or a tag becomes the commit that it names. */
export function atCommit(reference: string): string {
  const [, model, revision = ""] = /^(https?:\/\/.+\/.+):([^:/]+)$/.exec(reference) ?? [];
  if (model === undefined || /^[0-9a-f]{40}$/.test(revision)) return reference;
  return `${model}:${createHash("sha1").update(reference).digest("hex")}`;
}
