import type { PodArgs } from "./pod";
import type { TemplateArgs } from "./template";

/** Container settings that clusters, pods, endpoints and templates share. */
export type BaseContainerArgs = Pick<TemplateArgs, "args" | "disk" | "ports" | "env">;

/** The same with the credentials that pull the image; clusters take none. */
export type ContainerArgs = BaseContainerArgs & Pick<TemplateArgs, "registry">;

/** The same where what is left out comes from a template, if one is named. */
export type TemplatedContainerArgs = ContainerArgs &
  Pick<PodArgs, "image" | "template" | "templateId" | "templateRevision">;
