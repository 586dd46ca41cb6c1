import { createClient } from "../client";
import { Adoptions } from "../lifecycle/adoptions";
import type { Context } from "../lifecycle/definition";
import { cancellation } from "./cancellation";
import { type ReadConfig, readSettings, type Settings } from "./config";
import { engineLog } from "./log";

const contexts = new Map<string, Context>();

/**
 * The service that a stack's configuration names. One process shares one client: its connections, its shared reads
 * and what it knows of the rate limits serve all kinds of resources.
 *
 * @throws ConfigError for a missing key or an address that can't be used
 */
export function connect(config: ReadConfig): Context {
  const settings = readSettings(config);
  const identity = JSON.stringify(settings);
  const context = contexts.get(identity) ?? newContext(settings);
  contexts.set(identity, context);
  return context;
}

function newContext(settings: Settings): Context {
  const log = engineLog();
  const client = createClient({
    ...settings,
    onRetry: ({ call, waitMs, reason }) => log.status(call, `${reason}; trying again in ${Math.ceil(waitMs / 1000)} s`),
  });
  return { client, settings, log, signal: cancellation, adoptions: new Adoptions() };
}
