import type { PodArgs } from "./generated/pod";
import type { TemplateArgs } from "./generated/template";

/** Container settings that clusters, pods, endpoints and templates share. */
export type BaseContainerArgs = Pick<TemplateArgs, "args" | "disk" | "ports" | "env">;

/** The shared settings with the credentials that pull the image. Clusters don't take these. */
export type ContainerArgs = BaseContainerArgs & Pick<TemplateArgs, "registry">;

/** The settings of kinds that may take the rest from a template. */
export type TemplatedContainerArgs = ContainerArgs &
  Pick<PodArgs, "image" | "template" | "templateId" | "templateRevision">;
