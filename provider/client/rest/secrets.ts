import type { SecretCalls } from "../nouns";
import { CreateSecretRequest, ListSecrets, Secret, UpdateSecretRequest } from "../schemas/secrets";
import { collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

export const secretOperations = collectionOperations({
  kind: "Secret",
  path: "/v2/account/secrets",
  list: ListSecrets,
  item: Secret,
  create: CreateSecretRequest,
  update: UpdateSecretRequest,
});

export const secrets = (rest: Rest): SecretCalls =>
  collection(rest, "secrets", secretOperations, { namesAreUnique: true });
