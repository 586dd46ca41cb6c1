import { z } from "zod";
import { defineResource } from "../lifecycle/definition";
import { replaces, secret } from "../lifecycle/fields";

const ARN = /^arn:aws[\w-]*:ecr:(?<region>[\w-]+):\d{12}:repository\/(?<repository>.+)$/;

/** ECR delegation: leave for the service to pull from a private repository at AWS. Nothing of it changes in place. */
export const ecrDelegation = defineResource({
  kind: "EcrDelegation",
  inputs: z.strictObject({
    resource: secret(
      replaces(
        z
          .string()
          .regex(
            ARN,
            "must be the ARN of an ECR repository, such as arn:aws:ecr:eu-west-1:123456789012:repository/images",
          ),
      ),
    ),
    name: replaces(z.string().min(1).optional()),
  }),
  create: ({ client }, { resource, name }) => client.delegations.create({ resource, name: name ?? null }),
  read: ({ client }, id) => client.delegations.read(id),
  delete: ({ client }, id) => client.delegations.delete(id),
  observe: (live, { resource }) => ({
    name: live.name,
    resource: namesRepository(resource, live) ? resource : `${live.awsRegion}/${live.repository}`,
  }),
  outputs: ({ id: _, name: __, ...rest }) => rest,
});

/** The service shows an ARN in parts; account and partition are not always among them. */
function namesRepository(arn: unknown, live: { awsRegion: string; repository: string }): boolean {
  const { region, repository } = (typeof arn === "string" && ARN.exec(arn)?.groups) || {};
  return region === live.awsRegion && repository === live.repository;
}
