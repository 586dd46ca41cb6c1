import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "@commander-js/extra-typings";
import { messageOf } from "../../common/messageOf";
import { isHealthy } from "../../provider/smoke/target";
import { driftIn } from "../drift/drift";
import { refreshingPreview } from "../drift/refreshingPreview";
import { explain, print, tell } from "../output";
import { several, timeOption } from "../values";
import { withClient } from "../withClient";
import { STUCK, Watch } from "./collect";
import { CONTENT_TYPE, exposition, type Samples } from "./openMetrics";

/** Figures are served for so many intervals after they were read. */
const OLD_AFTER = 3;

export function watch(command: Command): void {
  explain(command, {
    examples: [
      "watch --metrics :9464",
      "watch --metrics 127.0.0.1:9464 --interval 5m --stuck 20m",
      "watch --metrics :9464 --stack prod --stack staging --cwd infra",
    ],
    connects: true,
  });
  command
    .description(
      "Serves metrics of the account's endpoints, pods, quota and spending for Prometheus, and reports what does not recover by " +
        "itself, with what to do. A read-only key is enough.",
    )
    .requiredOption("--metrics <address>", "where /metrics is served: host:port, or :port for all interfaces", address)
    .addOption(timeOption(command, "--interval <duration>", "time between two reads of the account", "1m"))
    .addOption(timeOption(command, "--stuck <duration>", "time after which a stuck endpoint is reported", "10m"))
    .option("--stack <name>", "also serve how many resources of this stack drifted; several times for several", several)
    .option("--cwd <folder>", "for --stack, the folder of the Pulumi project", ".")
    .addOption(timeOption(command, "--drift-interval <duration>", "for --stack, time between two comparisons", "1h"))
    .action(({ metrics: { host, port }, interval, stuck, stack, cwd, driftInterval }) =>
      withClient(async (client, signal) => {
        const account = new Watch(
          client,
          stuck,
          ({ endpointId, name, reason }) => tell(`Endpoint ${name} (${endpointId}): ${STUCK[reason]}.`),
          (endpoint, signal) => isHealthy(client, endpoint, signal),
          (kind, { message }) => tell(`The ${kind} can't be read: ${message}`),
        );
        const stacks = new DriftWatch(stack ?? [], cwd, client.clock);
        const look = async () => ({ samples: await account.look({ signal }), at: client.clock.now() });
        let last = await look();
        const isOld = () => client.clock.now() - last.at > OLD_AFTER * interval;
        const server = createServer((request, response) => {
          if (request.url?.split("?")[0] !== "/metrics")
            return response.writeHead(404).end("Metrics are at /metrics.\n");
          const samples = isOld() ? account.overdue() : last.samples;
          return response
            .writeHead(200, { "content-type": CONTENT_TYPE })
            .end(exposition({ ...samples, ...stacks.samples() }));
        });
        server.listen(port, host);
        await once(server, "listening", { signal }).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== "EADDRINUSE") throw error;
          throw new Error(`port ${port} is in use by another program. Choose another with --metrics.`);
        });
        const bound = server.address();
        print(`Serves metrics at port ${typeof bound === "object" ? bound?.port : port}, path /metrics.`);
        try {
          const reads = async () => {
            for (;;) {
              await sleep(interval, undefined, { signal });
              last = await look();
            }
          };
          await Promise.all([reads(), stacks.run(driftInterval, signal)]);
        } catch (error) {
          // An interrupt is the usual end of a watch, not a failure.
          if (!signal.aborted) throw error;
        } finally {
          server.closeAllConnections();
          server.close();
        }
      }),
    );
}

function address(text: string): { host?: string; port: number } {
  const [, host = "", port = ""] = /^(?:\[?([^\]]*?)\]?):(\d{1,5})$/.exec(text) ?? [];
  if (port === "" || Number(port) > 65_535)
    throw new Error(`--metrics takes an address such as :9464 or 127.0.0.1:9464, not "${text}"`);
  return { port: Number(port), ...(host !== "" && { host }) };
}

/** Compares stacks with the service again and again, as `drift` does. */
class DriftWatch {
  /** By stack: the resources that drifted, and when that was last seen. */
  readonly #drifted = new Map<string, { readonly count: number; readonly at: number }>();
  readonly #unread = new Set<string>();

  constructor(
    private readonly stacks: readonly string[],
    private readonly folder: string,
    private readonly clock: { now(): number },
  ) {}

  async run(intervalMs: number, signal: AbortSignal): Promise<void> {
    while (this.stacks.length > 0) {
      for (const stack of this.stacks) await this.#compare(stack, signal);
      await sleep(intervalMs, undefined, { signal });
    }
  }

  /** A stack that could not be compared has `stack_up` 0, its last figure and the time of that. */
  samples(): Samples {
    const drifted = [...this.#drifted];
    const compared = this.stacks.filter((stack) => this.#drifted.has(stack) || this.#unread.has(stack));
    return {
      stack_drifted_resources: drifted.map(([stack, { count }]) => [{ stack }, count]),
      stack_compared_timestamp_seconds: drifted.map(([stack, { at }]) => [{ stack }, Math.round(at / 1000)]),
      stack_up: compared.map((stack) => [{ stack }, this.#unread.has(stack) ? 0 : 1]),
    };
  }

  async #compare(stack: string, signal: AbortSignal): Promise<void> {
    try {
      const steps = await refreshingPreview({ stack, folder: this.folder, signal }, []);
      this.#drifted.set(stack, { count: driftIn(steps).length, at: this.clock.now() });
      this.#unread.delete(stack);
    } catch (error) {
      if (signal.aborted) throw error;
      this.#unread.add(stack);
      tell(`Stack ${stack} could not be compared: ${messageOf(error)}`);
    }
  }
}
