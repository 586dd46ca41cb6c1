import { z } from "zod";
import type { Tolerant } from "../tolerant";
import { CudaVersion, containerFields, Pagination, shownContainerFields, TemplateMounts } from "./common";

const Category = z.enum(["CPU", "NVIDIA", "AMD"]);

export const Template = z.object({
  id: z.string(),
  name: z.string(),
  ...shownContainerFields,
  mounts: TemplateMounts.default({}),
  serverless: z.boolean(),
  public: z.boolean(),
  category: Category,
  startSsh: z.boolean(),
  startJupyter: z.boolean(),
  allowedCudaVersions: z.array(z.string()),
});
export type Template = Tolerant<z.infer<typeof Template>>;

export const ListTemplates = z.object({ templates: z.array(Template), pagination: Pagination.optional() });

const templateFields = {
  ...containerFields,
  mounts: TemplateMounts.optional(),
  serverless: z.boolean().optional(),
  public: z.boolean().optional(),
  category: Category.optional(),
  startSsh: z.boolean().optional(),
  startJupyter: z.boolean().optional(),
  allowedCudaVersions: z.array(CudaVersion).optional(),
};

export const CreateTemplateRequest = z.strictObject({ ...templateFields, name: z.string(), image: z.string() });
export type CreateTemplateRequest = z.infer<typeof CreateTemplateRequest>;

export const UpdateTemplateRequest = z.strictObject({ ...templateFields, name: z.string().optional() });
export type UpdateTemplateRequest = z.infer<typeof UpdateTemplateRequest>;
