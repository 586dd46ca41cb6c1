import { answers, BadRequestError, type CostCenter, isUnknownAddress, ValidationError } from "../../../client";
import { z } from "../../../common/zod";
import { type Context, defineResource } from "../../lifecycle/definition";
import { from } from "../../lifecycle/fields/example";
import { trimmed } from "../rules";
import { attachedResources, attachMissing, detachOthers, type LiveResources, observed, repeated } from "./attached";

const { MOST_AT_CREATE } = answers.costCenters();

export interface LiveCostCenter extends CostCenter {
  readonly resources?: LiveResources;
}

export const costCenter = defineResource({
  kind: "CostCenter",
  noun: "CostCenter",
  priced: false,
  uses: ["cluster", "networkVolume", "pod", "serverlessContainer", "serverlessEndpoint"],
  adoption: { protect: false },
  orphans: { notedAs: ({ value }) => (typeof value === "string" ? value : undefined) },
  source: { operation: "POST /v2/cost-centers", page: "api-reference-v2/cost-centers/create-a-cost-center" },
  description:
    "A label to which pods, clusters, serverless endpoints and network volumes are attributed. An older service can't " +
    "delete one: it is emptied then, and a warning says so.",
  inputs: z.strictObject({
    value: z.string().min(1).max(50).describe("Name of the cost center, 1 to 50 characters."),
    resources: attachedResources(
      "The attributed resources. Changes made outside of the program are undone by the first run after a refresh.",
    ),
  }),
  shows: ["value"],
  outputs: z.object({}),
  examples: [
    {
      title: "What research pays for",
      name: "research",
      args: { value: "research", resources: [{ type: "NETWORK_VOLUME", id: from("networkVolume") }] },
    },
  ],

  rules: ({ value, resources }) => [...trimmed("value", value), ...repeated(resources)],
  create: async ({ client }, { value, resources }, naming): Promise<LiveCostCenter> => {
    const atOnce = resources.slice(0, MOST_AT_CREATE);
    if (atOnce.length > 0)
      try {
        const created = await client.costCenters.create({ value, resources: atOnce }, naming);
        return { ...created, resources: atOnce };
      } catch (error) {
        // No page shows what an item holds. Attached one by one, the error names the resource that is in the way.
        if (!(error instanceof BadRequestError || error instanceof ValidationError)) throw error;
      }
    return client.costCenters.create({ value }, naming);
  },
  list: async ({ client }, options) =>
    (await client.costCenters.list(options)).map(({ id, value }) => ({ id, name: value })),
  read: async (context, id): Promise<LiveCostCenter | undefined> => {
    const center = await context.client.costCenters.read(id);
    return center && withResources(context, center);
  },
  update: async (context, id, { value, resources }, { changed, old }): Promise<LiveCostCenter> => {
    if (changed.has("value")) await rename(context, id, value);
    await detachOthers(context.client.costCenters, id, old.resources, resources);
    return withResources(context, await context.client.costCenters.get(id));
  },
  ready: ({ client }, live, { resources }) => attachMissing(client.costCenters, live, resources),
  delete: async ({ client, log }, id, { value, resources }) => {
    try {
      return await client.costCenters.delete(id);
    } catch (error) {
      if (!isUnknownAddress(error)) throw error;
    }
    await detachOthers(client.costCenters, id, resources, []);
    log.warn(
      `CostCenter "${id}" (${value}) is empty now and stays in the account: this service does not delete cost centers. ` +
        "Delete it in the console.",
    );
    return true;
  },
  observe: ({ value, resources }) => ({ value, ...observed(resources) }),
  computed: () => ({}),
});

async function rename({ client }: Context, id: string, value: string): Promise<void> {
  try {
    await client.costCenters.update(id, { value });
  } catch (error) {
    if (!isUnknownAddress(error) || (await client.costCenters.read(id)) === undefined) throw error;
    throw new Error(
      `CostCenter "${id}": value: this service does not rename cost centers. Take the old value back, or make another ` +
        "cost center in its place, to which its resources move: `pulumi up --replace` with its URN.",
      { cause: error },
    );
  }
}

/** The service does not document the list of a cost center's resources. Without that list, none are shown. */
async function withResources({ client }: Context, center: CostCenter): Promise<LiveCostCenter> {
  try {
    return { ...center, resources: await client.costCenters.resources(center.id) };
  } catch (error) {
    if (isUnknownAddress(error)) return center;
    throw error;
  }
}
