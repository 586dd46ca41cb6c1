import { BadRequestError } from "../../../client";
import { z } from "../../../common/zod";
import { type Context, defineResource, revision } from "../../lifecycle/definition";
import { from } from "../../lifecycle/fields/example";
import { named, replacesWhenRemoved, uniqueAutoName, unordered } from "../../lifecycle/fields/fields";
import { COMMAND, oneCommand, sendable, shownCommand } from "../command";
import { baseContainerFields, cudaVersions, diskInGb, image, mergedEnv, registryField } from "../container";
import { patchOf } from "../patch";
import { templateMount } from "../pods/mounts";
import { deletedFirstWarning, usersOfTemplate, whileInUse } from "../storage/whileInUse";
import { templatesOfRun } from "./templateCopy";

const templateMounts = named(
  "TemplateMounts",
  z
    .strictObject({
      persistent: replacesWhenRemoved(templateMount.optional()).describe(
        "Storage of the pod's machine. Not with `serverless`.",
      ),
    })
    .describe("Storage that pods of a template get."),
);

export const template = defineResource({
  kind: "Template",
  noun: "Template",
  priced: false,
  uses: ["registry", "secret"],
  adoption: { protect: false },
  orphans: "named",
  source: { operation: "POST /v2/templates", page: "api-reference-v2/templates/create-a-template" },
  description:
    "A named set of container settings. Pods and endpoints get a copy, so later changes don't reach running ones.",
  inputs: z.strictObject({
    name: uniqueAutoName(),
    ...baseContainerFields,
    ...registryField,
    image,
    mounts: templateMounts.default({}),
    serverless: z.boolean().default(false).describe("For serverless endpoints (true) or for pods."),
    public: z.boolean().default(false).describe("Whether all users of the service see it."),
    category: named("TemplateCategory", z.enum(["CPU", "NVIDIA", "AMD"]))
      .default("NVIDIA")
      .describe("Hardware that it is for."),
    startSsh: z.boolean().default(true).describe("Whether pods accept the account's SSH keys."),
    startJupyter: z.boolean().default(true).describe("Whether pods start Jupyter."),
    allowedCudaVersions: unordered(cudaVersions.default([])).describe('CUDA versions such as "12.4"; none: any.'),
  }),
  shows: [
    "name",
    "image",
    "args",
    "entrypoint",
    "cmd",
    "ports",
    "env",
    "registry",
    "mounts",
    "serverless",
    "public",
    "category",
    "startSsh",
    "startJupyter",
    "allowedCudaVersions",
  ],
  outputs: z.object({ disk: diskInGb, revision: revision("template") }),
  examples: [
    {
      title: "For a serverless endpoint, from a private registry",
      name: "chat",
      args: {
        image: "registry.example.com/chat:1.4.0",
        registry: from("registry"),
        serverless: true,
        disk: 20,
        env: { MODEL_PATH: "/runpod-volume" },
      },
    },
    {
      title: "For pods, with storage that outlives a restart",
      name: "notebook",
      args: {
        image: "registry.example.com/notebook:2.1.0",
        ports: ["8888/http", "22/tcp"],
        mounts: { persistent: { size: 50, path: "/workspace" } },
      },
    },
  ],

  rules: ({ serverless, mounts, ...command }) => [
    ...oneCommand(command),
    ...(serverless === true && mounts?.persistent !== undefined
      ? [
          {
            property: "mounts.persistent",
            reason: "is for pods: serverless workers get network volumes from their endpoint. Remove it, or serverless",
          },
        ]
      : []),
  ],
  judge: (_, change) =>
    change.old.name === change.next.name && change.next.__logicalName === undefined
      ? {
          guard:
            `a second one can't have its name "${change.old.name}": give it another name in the same run, or leave name out, and ` +
            "the new one is made before this one goes",
        }
      : { ...deletedFirstWarning(change) },
  create: ({ client }, { name = "", ...rest }, naming) => client.templates.create({ name, ...sendable(rest) }, naming),
  list: ({ client }, options) => client.templates.list(options),
  read: ({ client }, id) => client.templates.read(id),
  update: async (context, id, inputs, { changed, old }) => {
    const { client } = context;
    const fields = COMMAND.some((field) => changed.has(field)) ? new Set([...changed, ...COMMAND]) : changed;
    const patch = patchOf(sendable(inputs), fields, { registry: null });
    if (Object.keys(patch).length === 0) return client.templates.get(id);
    templatesOfRun(context).changed.add(id);
    if (changed.has("env")) patch.env = mergedEnv((await client.templates.get(id)).env, old.env, inputs.env);
    return client.templates.update(id, patch);
  },
  delete: async (context, id) => {
    const { templates } = context.client;
    const endpoint = context.ledger.ids.boundTo(id);
    const calls = endpoint === undefined ? templates : { delete: () => deleteUnlessBound(context, id, endpoint) };
    return (await whileInUse(context, "Template", id, calls, usersOfTemplate)) || context.ledger.changes.wasDeleted(id);
  },
  observe: ({ id: _, ...fields }, state) => ({ ...fields, ...shownCommand(fields, state) }),
  computed: ({ disk }) => ({ disk }),
});

/** A template that its endpoint has left through REST is deleted with the endpoint, whose state holds its id. */
async function deleteUnlessBound({ client, log }: Context, id: string, endpoint: string): Promise<boolean> {
  try {
    return await client.templates.delete(id);
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error;
    log.info(
      `Template ${id} stays until ServerlessEndpoint ${endpoint} is deleted, and goes with it: GraphQL had bound it to that ` +
        "endpoint, and REST can't bind another.",
    );
    return true;
  }
}
