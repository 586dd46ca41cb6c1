import { z } from "zod";
import { readableTemplates } from "../catalog/templates";
import { pagination } from "../http/paging";
import { named } from "../http/route";
import { argsFrom, commandIn } from "../model/command";
import { CONTAINER_DEFAULTS, filledIn } from "../model/container";
import { assembled, containerFields, containerShown, cudaVersion, templateMounts } from "../model/containerSchemas";
import { find, list } from "../model/lookup";
import { sent } from "../model/sent";
import { checkedTemplate, removeTemplate } from "../model/templates";
import { notFound } from "../problem";
import type { Service } from "../service";
import type { TemplateRecord } from "../store/records";
import { answerOf, nounRoutes } from "./noun";

const category = named("TemplateCategory", z.enum(["CPU", "NVIDIA", "AMD"]));
const name = z.string().min(1);

/** What a template has besides its container, in every body. */
const templateFields = z.strictObject({
  name,
  mounts: templateMounts,
  serverless: z.boolean(),
  public: z.boolean(),
  category,
  startSsh: z.boolean(),
  startJupyter: z.boolean(),
  allowedCudaVersions: z.array(cudaVersion),
});
const template = named(
  "Template",
  z.object({
    ...containerShown,
    id: z.string(),
    ...templateFields.shape,
    name: z.string(),
    allowedCudaVersions: z.array(z.string()),
  }),
);
export const listTemplatesResponse = named(
  "ListTemplatesResponse",
  z.object({ templates: z.array(template), pagination: pagination.optional() }),
);
const createRequest = named(
  "CreateTemplateRequest",
  z
    .strictObject({
      ...containerFields,
      name,
      image: z.string(),
      mounts: templateMounts.default({}),
      serverless: z.boolean().default(false),
      public: z.boolean().default(false),
      category: category.default("NVIDIA"),
      startSsh: z.boolean().default(true),
      startJupyter: z.boolean().default(true),
      allowedCudaVersions: z.array(cudaVersion).default([]),
    })
    .meta(assembled),
);
const updateRequest = named(
  "UpdateTemplateRequest",
  z.strictObject({ ...containerFields, ...templateFields.partial().shape }),
);

/** Default container disk of a template in GB: the same as for its pod or worker. */
const DEFAULT_DISK = { pod: 50, serverless: 20 } as const;

export const routes = nounRoutes({
  noun: "Template",
  many: "templates",
  called: "template",
  path: "/v2/templates",
  right: "templates",
  item: template,
  createBody: createRequest,
  updateBody: updateRequest,
  errors: { create: [400], update: [400], delete: [400] },
  listAnswer: listTemplatesResponse,
  listed: (service) => list(service, service.store.templates).filter(({ owned }) => owned),
  recordOf: findReadable,
  changeable: (service, id) => {
    const record = findReadable(service, id);
    if (!record.owned) throw notFound("template");
    return record;
  },
  toAnswer: templateShown,
  create: ({ service, body }) => {
    const disk = DEFAULT_DISK[body.serverless ? "serverless" : "pod"];
    const { entrypoint, cmd, ...rest } = body;
    const args = argsFrom(body, CONTAINER_DEFAULTS.args);
    const draft = { ...CONTAINER_DEFAULTS, disk, readme: "", ...sent({ ...rest, args }) };
    return service.store.templates.put(checkedTemplate(service, draft));
  },
  update: (service, before, patch) => {
    const mounts = patch.mounts?.persistent === undefined ? before.mounts : patch.mounts;
    const { entrypoint, cmd, ...rest } = patch;
    const draft = { ...before, ...sent({ ...rest, args: argsFrom(patch, before.args) }), mounts };
    return service.store.templates.put(checkedTemplate(service, draft, before.id));
  },
  remove: removeTemplate,
});

export function templateShown(service: Service, record: TemplateRecord) {
  const filled = record.owned ? filledIn(service, record) : record;
  return answerOf(template, { ...filled, ...commandIn(filled.args), registry: record.owned ? record.registry : null });
}

/** A template of the account, or a public one. */
function findReadable(service: Service, id: string): TemplateRecord {
  return find(service, readableTemplates(service), id, "template");
}
