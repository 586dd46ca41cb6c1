import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GraphqlEnd } from "../client";
import { parseJson } from "../client/values/json";
import { pulumiHome } from "../common/pulumiHome";
import type { EngineLog } from "../lifecycle/run";
import { isObject } from "../lifecycle/values";

/** How long a note is trusted. The 410 may have come from a proxy, and one call a week finds that out. */
const TRUSTED_MS = 7 * 86_400_000;

/**
 * A note on this machine that the GraphQL of an address has ended, so that later runs don't call it. Each machine learns
 * it from an answer of its own.
 */
export function graphqlEndNote(graphqlUrl: string, log: EngineLog): GraphqlEnd {
  const file = fileOf(graphqlUrl);
  const tell = () =>
    log.info(
      "GraphQL has ended: serverless endpoints are managed through REST. They stay as they are, and so do settings that REST " +
        "does not have: countries in locations, cached models, the link to a template.",
    );
  return {
    isNoted() {
      const isNoted = notedAt(file) > Date.now() - TRUSTED_MS;
      if (isNoted) tell();
      return isNoted;
    },
    note() {
      tell();
      try {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, JSON.stringify({ graphqlUrl, at: Date.now() }));
      } catch {
        // Without a home folder to write to, every run asks once.
      }
    },
  };
}

function notedAt(file: string): number {
  try {
    const note = parseJson(readFileSync(file, "utf8"));
    return isObject(note) && typeof note.at === "number" ? note.at : Number.NEGATIVE_INFINITY;
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}

function fileOf(graphqlUrl: string): string {
  const name = createHash("sha256").update(graphqlUrl).digest("hex").slice(0, 16);
  return join(pulumiHome(), "computecloud", "graphql-ended", `${name}.json`);
}
