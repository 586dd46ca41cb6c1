import type { EcrDelegation } from "../../../client";
import { z } from "../../../common/zod";
import { type Context, defineResource } from "../../lifecycle/definition";
import { autoName, replaces, secret, stable } from "../../lifecycle/fields/fields";
import type { Properties } from "../../lifecycle/fields/values";

/** The names of repositories are ECR's own rule; the service takes the partition `aws` alone, and neither tag nor digest. */
const NAME = "[a-z\\d]+(?:[._-][a-z\\d]+)*";
const ARN = new RegExp(`^arn:aws:ecr:(?<region>[a-z\\d-]+):\\d{12}:repository/(?<repository>${NAME}(?:/${NAME})*)$`);
const ARN_RULE =
  "must be the ARN of an ECR repository in the partition aws, in lower case, without a tag or digest, such as " +
  "arn:aws:ecr:eu-west-1:123456789012:repository/images";

export const ecrDelegation = defineResource({
  kind: "EcrDelegation",
  noun: "EcrDelegation",
  priced: false,
  uses: [],
  adoption: { protect: false, more: repositoryOf, elsewhere: ["RegistryDelegation"] },
  orphans: "named",
  source: {
    operation: "POST /v2/registries/delegations",
    page: "api-reference-v2/registries/register-an-ecr-delegation",
  },
  description: "Permission for the service to pull images from a private ECR repository.",
  inputs: z.strictObject({
    resource: secret(replaces(z.string().regex(ARN, ARN_RULE))).describe("ARN of the ECR repository."),
    // The service needs no name. Without one, an orphan of a killed run could not be told from anybody else's delegation.
    name: replaces(autoName()),
  }),
  shows: ["resource", "name"],
  outputs: z.object({
    delegatorUserId: secret(z.string()).describe("Id of the user that gave the permission."),
    awsUser: secret(z.string()).describe("AWS account of the repository."),
    repository: z.string().describe("Name of the ECR repository."),
    tag: z.string().describe("Tag of the image."),
    awsRegion: z.string().describe("AWS region of the repository."),
    dockerRegistryUri: secret(z.string().optional()).describe("Address of the registry, with which image names begin."),
    createdAt: stable(z.string()).describe("When it was created, RFC 3339."),
  }),
  examples: [
    {
      title: "One repository",
      name: "images",
      args: { resource: "arn:aws:ecr:eu-west-1:123456789012:repository/embedder" },
    },
  ],

  create: ({ client }, { resource, name }, naming) =>
    client.delegations.create({ resource, name: name ?? null }, naming),
  list: ({ client }, options) => client.delegations.list(options),
  read: ({ client }, id) => client.delegations.read(id),
  delete: ({ client }, id) => client.delegations.delete(id),
  observe: (live, { resource }) => ({
    name: live.name,
    ...(live.repository !== undefined && {
      resource: namesRepository(resource, live) ? resource : `${live.awsRegion}/${live.repository}`,
    }),
  }),
  computed: ({ delegatorUserId, awsUser, repository, tag, awsRegion, dockerRegistryUri, createdAt }) => ({
    delegatorUserId,
    awsUser,
    repository,
    tag,
    awsRegion,
    dockerRegistryUri,
    createdAt,
  }),
});

/**
 * Whether an ARN names the shown repository. The service shows an ARN in parts, and does not always show account and
 * partition.
 */
function namesRepository(arn: unknown, live: EcrDelegation): boolean {
  const { region, repository } = (typeof arn === "string" && ARN.exec(arn)?.groups) || {};
  return region === live.awsRegion && repository === live.repository;
}

/** The ARN, assembled from the parts that the service shows. */
async function repositoryOf({ client }: Context, id: string): Promise<Properties> {
  const delegation = (await client.delegations.list()).find((each) => each.id === id);
  if (delegation === undefined) return {};
  const { awsRegion, awsUser, repository } = delegation;
  return { resource: `arn:aws:ecr:${awsRegion}:${awsUser}:repository/${repository}` };
}
