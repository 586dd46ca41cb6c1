import type { dynamic } from "@pulumi/pulumi";
import { once } from "../../common/cached";
import { isRecord } from "../../common/json";
import { messageOf } from "../../common/messageOf";
import { shortUrls } from "../../common/queueUrls";
import { hide } from "../../common/redact";
import type { Properties } from "../lifecycle/fields/values";
import { PartlyMadeError } from "../lifecycle/state/partlyMade";
import { ConfigError, refuseMisspelt } from "./config";
import { connect } from "./connect";
import { endWithEngine } from "./endWithEngine";
import { type Connect, type EngineContext, HostedOperations, type Operations } from "./hostedOperations";
import { reportLeftovers } from "./leftovers";
import { refuseOtherUsers } from "./plugin/peer";
import { hideUnmarked, secretTexts } from "./secrecy";
import { engineText, hiding, rememberUrns, shownFailures, urnOf } from "./text";

/**
 * A kind as a dynamic provider of the engine.
 *
 * @param load makes the operations. The first operation calls it, so a run loads only the kinds that it uses
 */
export function dynamicProvider(
  load: (connect: Connect) => Operations,
): dynamic.ResourceProvider<Properties, Properties> {
  // The engine can call an operation while `configure` still runs: all await the promise.
  let configured: Promise<EngineContext> = Promise.reject(new Error("the engine has not configured this provider yet"));
  configured.catch(() => {});
  let loaded: Operations | undefined;
  const operations = (): Operations => {
    const connect = () => configured;
    loaded ??= new HostedOperations(load(connect), connect);
    return loaded;
  };
  const hidden = (state: Properties, marked: Properties) => hideUnmarked(operations().definition.inputs, state, marked);
  const secretsOf = (valueSets: readonly Properties[]) => {
    const { inputs, outputs } = operations().definition;
    return valueSets.flatMap((values) => secretTexts({ ...inputs.shape, ...outputs.shape }, { values }));
  };

  /**
   * Runs an operation whose messages must not quote a secret of these values. Its errors have only a message, as the engine
   * shows them.
   *
   * @param valueSets the state before, if there is one, and the arguments
   * @throws PartlyMadeError for a resource that exists: the engine records it
   */
  const reported = <T>(valueSets: readonly Properties[], operation: () => Promise<T>): Promise<T> =>
    hiding(
      () => secretsOf(valueSets),
      async () => {
        try {
          return await operation();
        } catch (error) {
          if (!(error instanceof PartlyMadeError)) throw new ReportedError(engineText(messageOf(error)));
          // The engine reads `id`, `properties` and `reasons` from this error. After an update that failed in part, it goes on
          // with the arguments before it.
          // mutant half-made-secrets-recorded: hidden(error.properties, valueSets.at(-1) ?? {})
          const state = valueSets.reduceRight(hidden, error.properties);
          // The engine itself records the provider of a created resource. Of a partly made one the properties must hold it, or
          // nothing could delete the resource.
          const properties = { ...state, __provider: valueSets.at(-1)?.__provider };
          throw new PartlyMadeError(error.id, properties, error.reasons.map(engineText));
        }
      },
      urnOf(valueSets),
    );

  /** The same in a resource's first operation of a run: no message about another resource quotes them either. */
  const reportedFirst: typeof reported = (valueSets, operation) =>
    reported(valueSets, () => {
      // mutant others-secrets-quoted: gone
      hide(...secretsOf(valueSets));
      return operation();
    });

  return {
    configure: async ({ config }) => {
      prepareHost();
      configured = (async () => {
        // Its type keeps the keys to itself.
        refuseMisspelt(Object.keys(Reflect.get(config, "rawConfig") ?? {}));
        const context = connect((key) => config.get(key));
        await reportLeftovers(context);
        return context;
      })();
      // `check` reports a mistake in the configuration, with the property; failing here would crash.
      configured.catch(() => {});
    },
    check: (old, news) =>
      reportedFirst([old, news], async () => {
        try {
          const { inputs, failures } = await operations().check(withoutProvider(old), withoutProvider(news));
          // The engine uses none of what is refused, and some of it, such as a name, may be undefined: that can't be sent.
          return { inputs: failures.length > 0 ? news : inputs, failures: shownFailures(failures) };
        } catch (error) {
          if (error instanceof ConfigError)
            return { inputs: news, failures: shownFailures([{ property: "", reason: error.message }]) };
          throw error;
        }
      }),
    diff: (id, old, news) => reported([old, news], () => operations().diff(id, old, withoutProvider(news))),
    create: (inputs) =>
      reported([inputs], async () => {
        const { id, state } = await operations().create(inputs);
        return { id, outs: shortened(hidden(state, inputs)) };
      }),
    read: (id, state = {}) =>
      reportedFirst([state], async () => {
        const reading = await operations().read(id, state);
        if (reading === undefined) return { id: "" };
        return { id, props: shortened(hidden(reading.state, state)), inputs: hidden(reading.inputs, state) };
      }),
    update: (id, old, news) =>
      reported([old, news], async () => ({ outs: shortened(hidden(await operations().update(id, old, news), news)) })),
    delete: (id, state) => reportedFirst([state], () => operations().delete(id, state)),
  };
}

const withoutProvider = ({ __provider, ...rest }: Properties): Properties => rest;

/**
 * The state without what the class can derive. The engine writes the whole state after every step, so its size costs time.
 */
function shortened(state: Properties): Properties {
  if (!("requestUrls" in state)) return state;
  const { ids, requestUrls: urls } = state;
  // A fleet has a map of them, by the names of its members.
  const byName = isRecord(ids) && isRecord(urls) && Object.entries(urls).map(([name, each]) => [name, shortUrls(each)]);
  return { ...state, requestUrls: byName ? Object.fromEntries(byName) : shortUrls(urls) };
}

/** What the engine's process for dynamic providers needs once, whichever kind it configures first. */
const prepareHost = once(() => {
  // mutant dynamic-host-for-all: gone
  refuseOtherUsers();
  rememberUrns();
  logErrorsOnce();
  endWithEngine();
});

const REPORTED = "reported by the engine: ";

class ReportedError extends Error {
  override toString(): string {
    return REPORTED + this.message;
  }
}

/**
 * Suppresses second copies of errors. The process for dynamic providers answers with each error of check, diff, read and
 * delete, and writes it to stderr as well.
 */
function logErrorsOnce(): void {
  const write = console.error;
  console.error = (...parts: unknown[]) => {
    if (!String(parts[0]).startsWith(REPORTED)) write(...parts);
  };
}
