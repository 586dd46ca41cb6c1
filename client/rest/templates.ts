import { z } from "../../common/zod";
import type { CallOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import {
  CudaVersion,
  containerFields,
  idOf,
  shownContainerFields,
  TemplateMounts,
  uniqueName,
} from "../schemas/common";
import type { Tolerant } from "../values/tolerant";
import { type CollectionCalls, collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

const Category = z.enum(["CPU", "NVIDIA", "AMD"]);

export const Template = z.object({
  id: idOf("template", "`templateId` of a pod or endpoint"),
  name: uniqueName,
  ...shownContainerFields,
  mounts: TemplateMounts.default({}).describe("Storage that pods created from it get; empty for none."),
  serverless: z.boolean().describe("For serverless endpoints (true) or for pods."),
  public: z.boolean().describe("Whether everybody sees it."),
  category: Category.describe("Hardware that it is for; only the service's console uses it."),
  startSsh: z.boolean().describe("Whether pods created from it accept the account's SSH keys."),
  startJupyter: z.boolean().describe("Whether pods created from it start Jupyter."),
  allowedCudaVersions: z
    .array(z.string())
    .describe("CUDA versions that a machine may have, as major.minor; empty: any."),
});
export type Template = Tolerant<z.infer<typeof Template>>;

export const CreateTemplateRequest = z.strictObject({
  name: z.string(),
  ...containerFields,
  image: z.string(),
  mounts: TemplateMounts.optional(),
  serverless: z.boolean().optional(),
  public: z.boolean().optional(),
  category: Category.optional(),
  startSsh: z.boolean().optional(),
  startJupyter: z.boolean().optional(),
  allowedCudaVersions: z.array(CudaVersion).optional(),
});
export type CreateTemplateRequest = z.infer<typeof CreateTemplateRequest>;

export const UpdateTemplateRequest = CreateTemplateRequest.partial();
export type UpdateTemplateRequest = z.infer<typeof UpdateTemplateRequest>;

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

export const operations = collectionOperations({
  kind: "Template",
  path: "/v2/templates",
  key: "templates",
  item: Template,
  create: CreateTemplateRequest,
  update: UpdateTemplateRequest,
});

export const calls = (rest: Rest): TemplateCalls => collection(rest, "templates", operations, { namesAreUnique: true });
