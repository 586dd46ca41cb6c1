import { z } from "zod";
import type { Tolerant } from "../values/tolerant";
import {
  CudaVersion,
  containerFields,
  idOf,
  Pagination,
  shownContainerFields,
  TemplateMounts,
  uniqueName,
} from "./common";

const Category = z.enum(["CPU", "NVIDIA", "AMD"]);

export const Template = z.object({
  id: idOf("template", "`templateId` of a pod or endpoint"),
  name: uniqueName,
  ...shownContainerFields,
  mounts: TemplateMounts.default({}).describe("Storage that pods made from it get; empty where they get none."),
  serverless: z.boolean().describe("For serverless endpoints (true) or for pods."),
  public: z.boolean().describe("Whether everybody sees it."),
  category: Category.describe("Hardware that it is made for; only the service's console goes by it."),
  startSsh: z.boolean().describe("Whether pods made from it let the account's SSH keys in."),
  startJupyter: z.boolean().describe("Whether pods made from it start Jupyter."),
  allowedCudaVersions: z
    .array(z.string())
    .describe("CUDA versions that a machine may have, as major.minor; empty: any."),
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
