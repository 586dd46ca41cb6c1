import { z } from "../../../common/zod";
import { COMMON_INPUTS, defineGroup } from "../../lifecycle/definition";
import { from } from "../../lifecycle/fields/example";
import { control, internal, named, preset, replacesMember, takesTemplate } from "../../lifecycle/fields/fields";
import { endpointUrls } from "../serverless/queueUrls";
import { serverlessEndpoint } from "../serverless/serverlessEndpoint";
import { template } from "../serverless/template";
import { CONTAINER } from "./members";

const endpointFields = serverlessEndpoint.inputs.shape;
const containerFields = template.inputs.pick(keysOf(CONTAINER)).shape;

const memberFields = {
  ...endpointFields,
  // Required here or in the defaults.
  gpuIds: endpointFields.gpuIds.optional(),
  templateId: takesTemplate(
    "A serverless Template, whose changes reach the endpoint in the same run. Give this, `templateId` or `image`.",
    endpointFields.templateId,
  ),
  name: endpointFields.name.describe(
    "At least 3 characters; need not be unique. Default: the fleet's logical name, the member's and a short hash.",
  ),
  type: replacesMember(endpointFields.type).describe(
    "Queue (`QB`) or load balancing (`LB`). A change deletes the endpoint and creates another.",
  ),
  ...containerFields,
  image: containerFields.image
    .optional()
    .describe("Container image with its tag, for which the fleet keeps a template. Give this or `templateId`."),
};

const member = named(
  "FleetEndpoint",
  z
    .strictObject({ ...memberFields, adoptId: COMMON_INPUTS.adoptId })
    .describe("An endpoint of a fleet: the arguments of a ServerlessEndpoint, or an image in place of the template."),
);

const { name: _, ...common } = memberFields;

const defaults = named(
  "FleetDefaults",
  z
    .strictObject(Object.fromEntries(Object.entries(common).map(([key, field]) => [key, preset(field)])))
    .describe("Default arguments of a fleet's members."),
);

const byName = <T extends z.ZodType>(schema: T) => z.record(z.string(), schema);

/** Its operations are those of its members, in `fleet/`. */
export const serverlessFleet = defineGroup({
  kind: "ServerlessFleet",
  noun: "Endpoint",
  rights: { preview: "read: serverless, templates, graphql", up: "read: serverless; write: templates, graphql" },
  priced: true,
  uses: ["networkVolume", "registry", "secret", "template"],
  // Its members are adopted as endpoints.
  adoption: "none",
  // A killed run leaves endpoints and templates, which are found as resources of those kinds.
  orphans: "none",
  source: { operation: "GraphQL saveEndpoint", page: "serverless/endpoints/endpoint-configurations" },
  description:
    "Many serverless endpoints as one resource. A deployment changes several at a time. That is far faster than separate " +
    "resources, because the engine saves its state after each of those.\n\n" +
    "A member behaves like a ServerlessEndpoint: it is checked, named, compared and adopted, and scaled to 0 before it is " +
    "deleted. If some members fail, the others are created and recorded, and the next `up` creates only the failed ones. " +
    "Removing a member deletes only that member. For a member with an `image`, the fleet keeps a template.",
  inputs: z.strictObject({
    endpoints: byName(member).describe(
      "The endpoints, by names of your choice. An endpoint's own name consists of the fleet's, the member's and a short hash.",
    ),
    defaults: defaults
      .optional()
      .describe(
        "Arguments of every member that does not set them. A member's `env` is added to these. A member's template replaces " +
          "container settings from here, and a member's container settings replace a template. Default: none.",
      ),
    released: z
      .array(z.string())
      .optional()
      .describe(
        "Names of members that were removed from `endpoints` and keep running, so that another resource can adopt them. " +
          "Default: none; removed members are deleted.",
      ),
    protectMembers: control(z.boolean().default(false)).describe(
      "Whether a change that would delete or replace a member is an error instead. In TypeScript Pulumi's option " +
        "`protect`, or that of a parent, sets it where it is left out. The fleet as a whole is protected by that option.",
    ),
  }),
  keeps: "endpoints",
  shows: [],
  outputs: z.object({
    ids: byName(z.string()).describe("Ids of the endpoints, by the member's name."),
    revisions: byName(z.int()).describe("Numbers that change with every update of the endpoint by this provider."),
    requestUrls: byName(endpointUrls).describe("Addresses for requests to the endpoints."),
    templateIds: byName(z.string()).describe("Ids of the templates that the fleet keeps."),
    templates: internal(byName(z.record(z.string(), z.unknown()))).describe("The templates' other settings."),
  }),
  examples: [
    {
      title: "Three models that share their settings",
      name: "models",
      args: {
        defaults: { gpuIds: "AMPERE_24,ADA_24", workersMax: 2, registry: from("registry"), env: { LOG: "info" } },
        endpoints: {
          chat: { image: "registry.example.com/chat:1.4.0", workersMax: 5 },
          embed: { image: "registry.example.com/embed:2.1.0", gpuIds: "AMPERE_16" },
          rank: { templateId: from("template"), idleTimeout: 60 },
        },
      },
    },
  ],
});

function keysOf<Key extends string>(keys: readonly Key[]): { [Name in Key]: true } {
  return Object.fromEntries(keys.map((key) => [key, true])) as { [Name in Key]: true };
}
