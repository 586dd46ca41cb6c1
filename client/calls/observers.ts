import { channel } from "node:diagnostics_channel";
import { inSeconds } from "../../common/duration";
import { UsageError } from "../errors";
import {
  type ClientOptions,
  type Logger,
  type LogLevel,
  logLevels,
  type ResponseEvent,
  type RetryEvent,
} from "../options";
import type { Hooks } from "./hooks";

/** For tracing: the events of all clients of the process are published here. */
const channels = {
  request: channel("pulumi-computecloud:request"),
  response: channel("pulumi-computecloud:response"),
  failure: channel("pulumi-computecloud:failure"),
  retry: channel("pulumi-computecloud:retry"),
};

/** Writes to stderr: stdout belongs to the program's own output. */
const stderr: Logger = {
  debug: (line) => console.error(`computecloud debug ${line}`),
  info: (line) => console.error(`computecloud info ${line}`),
  warn: (line) => console.error(`computecloud warn ${line}`),
};

/** Everything that observes a client's calls: its hooks, the log, and the diagnostics channels. */
export function observersOf(options: ClientOptions): readonly Hooks[] {
  const { onRequest, onResponse, onRetry } = options;
  const level = logLevelOf(options);
  return [
    { onRequest, onResponse, onRetry },
    ...(level === "off" ? [] : [logging(options.logger ?? stderr, level)]),
    published,
  ];
}

/** The option wins over the environment variable. A logger without a level gets warnings. */
function logLevelOf({ logLevel, logger }: ClientOptions): LogLevel {
  const asked = logLevel ?? process.env.COMPUTECLOUD_LOG ?? "";
  if (asked === "") return logger === undefined ? "off" : "warn";
  const level = logLevels.find((known) => known === asked);
  if (level !== undefined) return level;
  const name = logLevel === undefined ? "COMPUTECLOUD_LOG" : "logLevel";
  throw new UsageError(`${name} is "${asked}"; it takes ${logLevels.join(", ")}.`);
}

/** Lines contain methods, paths without their query, statuses and request ids; never a header, a body or the key. */
function logging(logger: Logger, level: LogLevel): Hooks {
  const isTold = (of: LogLevel) => logLevels.indexOf(of) <= logLevels.indexOf(level);
  const onResponse = ({ call, attempt, status, requestId, ms }: ResponseEvent) => {
    const line = `${call}: ${status} in ${Math.round(ms)} ms (attempt ${attempt}${requestId ? `, request ${requestId}` : ""})`;
    if (status >= 400) logger.warn(line);
    else if (isTold("debug")) logger.debug(line);
  };
  const onRetry = ({ call, reason, waitMs }: RetryEvent) =>
    logger.info(`${call}: ${reason}; trying again in ${inSeconds(waitMs)}`);
  return {
    onRequest: isTold("debug") ? ({ call, attempt }) => logger.debug(`${call} (attempt ${attempt})`) : undefined,
    onResponse,
    onRetry: isTold("info") ? onRetry : undefined,
  };
}

const published: Hooks = {
  onRequest: (event) => channels.request.publish(event),
  onFailure: (event) => channels.failure.publish(event),
  onRetry: (event) => channels.retry.publish(event),
  /** A getter, because subscribers may come and go at any time, and without one the event is not made. */
  get onResponse() {
    return channels.response.hasSubscribers ? (event: unknown) => channels.response.publish(event) : undefined;
  },
};
