import { z } from "zod";
import { autoName, defineResource } from "../lifecycle/definition";
import { replacesWhenSwitched, unordered } from "../lifecycle/fields";
import { baseContainerFields, cudaVersion, registryField } from "./container";
import { persistentMount } from "./mounts";
import { patchOf } from "./patch";
import { noteTemplateChange } from "./templateCopy";
import { whileInUse } from "./whileInUse";

/** Template: a container's settings under a name. Pods and endpoints take a copy; later changes don't reach them. */
export const template = defineResource({
  kind: "Template",
  uniqueName: true,
  revision: true,
  inputs: z.strictObject({
    name: autoName(),
    ...baseContainerFields,
    ...registryField,
    image: z.string().min(1),
    mounts: z.strictObject({ persistent: replacesWhenSwitched(persistentMount.optional()) }).default({}),
    serverless: z.boolean().default(false),
    public: z.boolean().default(false),
    category: z.enum(["CPU", "NVIDIA", "AMD"]).default("NVIDIA"),
    startSsh: z.boolean().default(true),
    startJupyter: z.boolean().default(true),
    allowedCudaVersions: unordered(z.array(cudaVersion).default([])),
  }),
  create: ({ client }, { name = "", ...rest }, naming) => client.templates.create({ name, ...rest }, naming),
  read: ({ client }, id) => client.templates.read(id),
  update: async ({ client }, id, inputs, { changed }) => {
    const patch = patchOf(inputs, changed, { registry: null });
    if (Object.keys(patch).length === 0) return client.templates.get(id);
    noteTemplateChange(id);
    return client.templates.update(id, patch);
  },
  delete: (context, id) => whileInUse(context, `Template ${id}`, () => context.client.templates.delete(id)),
  observe: ({ id: _, ...fields }) => fields,
  outputs: ({ disk }) => ({ disk }),
});
