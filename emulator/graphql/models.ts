import { createHash } from "node:crypto";

/** What the service keeps of a reference to a model: a branch or a tag becomes the commit that it names. */
export function atCommit(reference: string): string {
  const [, model, revision = ""] = /^(https?:\/\/.+\/.+):([^:/]+)$/.exec(reference) ?? [];
  if (model === undefined || /^[0-9a-f]{40}$/.test(revision)) return reference;
  return `${model}:${createHash("sha1").update(reference).digest("hex")}`;
}
