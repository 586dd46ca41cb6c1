import { sent } from "../model/sent";
import { checkedTemplate, removeTemplate } from "../model/templates";
import { badRequest, notFound } from "../problem";
import type { Service } from "../service";
import type { TemplateRecord } from "../store/records";
import { listed } from "./compute";
import { type EnvironmentVariable, toList, toMap } from "./environment";

const DEFAULT_DISK_GB = 20;
const DEFAULT_MOUNT_PATH = "/workspace";
const CATEGORIES: readonly TemplateRecord["category"][] = ["NVIDIA", "AMD", "CPU"];

export interface TemplateInput {
  readonly id?: string | null;
  readonly name: string;
  readonly imageName?: string | null;
  readonly containerDiskInGb?: number | null;
  readonly volumeInGb?: number | null;
  readonly dockerArgs?: string | null;
  readonly env?: readonly EnvironmentVariable[] | null;
  readonly ports?: string | null;
  readonly isServerless?: boolean | null;
  readonly isPublic?: boolean | null;
  readonly readme?: string | null;
  readonly startSsh?: boolean | null;
  readonly startJupyter?: boolean | null;
  readonly containerRegistryAuthId?: string | null;
  readonly volumeMountPath?: string | null;
  readonly category?: string | null;
  readonly advancedStart?: boolean | null;
  readonly startScript?: string | null;
  readonly config?: unknown;
  /** Names of the ports. */
  readonly portsConfig?: readonly ({ readonly port: string; readonly name: string } | null)[] | null;
}

/** Creates a template, or with an id replaces it. */
export const saveTemplate = (service: Service, input: TemplateInput): TemplateRecord =>
  service.store.templates.put(templateFrom(service, input));

/** The template of an input, not stored yet. */
export function templateFrom(service: Service, input: TemplateInput): TemplateRecord {
  const before = input.id == null ? undefined : service.store.templates.get(input.id);
  if (input.id != null && before?.owned !== true) throw notFound("template");
  const volume = input.volumeInGb ?? 0;
  const disk = input.containerDiskInGb ?? DEFAULT_DISK_GB;
  const category = CATEGORIES.find((each) => each === (input.category ?? "NVIDIA"));
  if (category === undefined) throw badRequest(`category must be one of ${CATEGORIES.join(", ")}`);
  const draft = {
    name: input.name,
    image: input.imageName ?? "",
    args: input.dockerArgs ?? "",
    disk,
    ports: listed(input.ports ?? ""),
    env: toMap(input.env ?? []),
    registry: input.containerRegistryAuthId || null,
    mounts: volume > 0 ? { persistent: { size: volume, path: input.volumeMountPath || DEFAULT_MOUNT_PATH } } : {},
    serverless: input.isServerless ?? false,
    public: input.isPublic ?? false,
    category,
    startSsh: input.startSsh ?? true,
    startJupyter: input.startJupyter ?? true,
    allowedCudaVersions: before?.allowedCudaVersions ?? [],
    readme: input.readme ?? "",
    advanced: sent({
      advancedStart: input.advancedStart ?? undefined,
      startScript: input.startScript ?? undefined,
      config: input.config ?? undefined,
      portsConfig: input.portsConfig ?? undefined,
    }),
  };
  return checkedTemplate(service, draft, before?.id);
}

export function deleteTemplate(service: Service, name: string): null {
  const [template] = service.store.templates.by("name", name);
  if (template === undefined) throw notFound("template");
  removeTemplate(service, template);
  return null;
}

/** A template in GraphQL's fields; those of the record with the same names are unchanged. */
export const templateShown = (template: TemplateRecord) => ({
  ...template,
  imageName: template.image,
  containerDiskInGb: template.disk,
  volumeInGb: template.mounts.persistent?.size ?? 0,
  dockerArgs: template.args,
  env: toList(template.env),
  ports: template.ports.join(","),
  isServerless: template.serverless,
  isPublic: template.public,
  containerRegistryAuthId: template.registry,
  volumeMountPath: template.mounts.persistent?.path ?? null,
  ...template.advanced,
});
