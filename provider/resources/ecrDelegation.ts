import { z } from "zod";
import { defineResource } from "../lifecycle/definition";
import { replaces, secret, writeOnly } from "../lifecycle/fields";

/** ECR delegation: leave for the service to pull from a private repository at AWS. Nothing of it changes in place. */
export const ecrDelegation = defineResource({
  kind: "EcrDelegation",
  inputs: z.strictObject({
    resource: secret(
      writeOnly(
        replaces(
          z
            .string()
            .regex(
              /^arn:aws[\w-]*:ecr:[\w-]+:\d{12}:repository\/.+$/,
              "must be the ARN of an ECR repository, such as arn:aws:ecr:eu-west-1:123456789012:repository/images",
            ),
        ),
      ),
    ),
    name: replaces(z.string().min(1).optional()),
  }),
  create: ({ client }, { resource, name }) => client.delegations.create({ resource, name: name ?? null }),
  read: ({ client }, id) => client.delegations.read(id),
  delete: ({ client }, id) => client.delegations.delete(id),
  observe: ({ name }) => ({ name }),
  outputs: ({ id: _, name: __, ...rest }) => rest,
});
