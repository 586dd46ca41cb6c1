import { createHash } from "node:crypto";
import { join } from "node:path";
import type { GraphqlEnd } from "../../client";
import { z } from "../../common/zod";
import type { EngineLog } from "../lifecycle/run";
import { Notes, notesHome } from "../memory/notes";

/** How long a note is trusted. The 410 may have come from a proxy, and one call a week finds that out. */
const TRUSTED_MS = 7 * 86_400_000;

/** `at` is in milliseconds since 1970. */
const Entry = z.object({ graphqlUrl: z.string(), at: z.number() });

/**
 * A note on this machine that the GraphQL of an address has ended, so that later runs don't call it. Each machine learns
 * it from an answer of its own.
 */
export function graphqlEndNote(graphqlUrl: string, log: EngineLog): GraphqlEnd {
  const notes = new Notes(join(notesHome(), "graphql-ended"), Entry);
  const key = createHash("sha256").update(graphqlUrl).digest("hex").slice(0, 16);
  const tell = () =>
    log.info(
      "GraphQL has ended: serverless endpoints are managed through REST. They stay as they are, and so do settings that REST " +
        "does not have: countries in locations, cached models, the link to a template.",
    );
  return {
    isNoted() {
      const isNoted = (notes.get(key)?.at ?? 0) > Date.now() - TRUSTED_MS;
      if (isNoted) tell();
      return isNoted;
    },
    note() {
      tell();
      notes.set(key, { graphqlUrl, at: Date.now() });
    },
  };
}
