// @long: a real Prometheus.
/* The rules in a real Prometheus, which scrapes a real watch of an emulator through an incident. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { z } from "zod";
import { checkout } from "../../tools/run/environment";
import { freePort } from "../../tools/run/freePort";
import { run } from "../../tools/run/process";
import { scrape, watching } from "../cli/watching";
import { folderForAll } from "../harness/folder";
import { onPath } from "../harness/onPath";
import { placeForAll } from "../harness/place";
import { until } from "../harness/until";

const prometheus = onPath("prometheus");
const testWithPrometheus = prometheus === undefined ? test.skip : test;

/** Of Prometheus' interface. */
const answer = z.object({
  data: z.object({
    alerts: z.array(z.object({ state: z.string(), labels: z.record(z.string(), z.string()) })).optional(),
    result: z.array(z.object({ metric: z.record(z.string(), z.string()) })).optional(),
  }),
});

const place = placeForAll();
const folder = folderForAll();

/** The rules as shipped, but that they wait two seconds instead of minutes. */
async function configure(port: string): Promise<string> {
  const rules = await readFile(join(checkout, "docs/pipelines/watch-alerts.yml"), "utf8");
  await writeFile(folder.at("rules.yml"), rules.replace(/for: \w+/g, "for: 2s"));
  const config = folder.at("prometheus.yml");
  await writeFile(
    config,
    JSON.stringify({
      global: { scrape_interval: "1s", evaluation_interval: "1s" },
      rule_files: ["rules.yml"],
      scrape_configs: [{ job_name: "watch", static_configs: [{ targets: [`127.0.0.1:${port}`] }] }],
    }),
  );
  return config;
}

testWithPrometheus(
  "an incident in Prometheus fires while it lasts: with the key refused, with the watch gone, and until the watch sees its end",
  async () => {
    const { endpointId } = await place.queue("crash");
    const client = place.client({ clock: place.sharedClock() });
    await client.queue(endpointId).run({ input: 1 });
    await place.service.advance(10 * 60_000);

    const api = await freePort();
    const ask = async (path: string) =>
      answer.parse(await (await fetch(`http://127.0.0.1:${api}/api/v1/${path}`)).json()).data;
    const firing = async () => {
      const { alerts = [] } = await ask("alerts");
      const names = alerts.flatMap(({ state, labels }) => (state === "firing" ? [labels.alertname ?? ""] : []));
      return [...new Set(names)].sort();
    };
    const stop = new AbortController();
    let server: Promise<unknown> | undefined;
    try {
      await watching(place.emulator, ["--stuck", "1s"], async (port) => {
        const config = await configure(port);
        const args = [
          `--config.file=${config}`,
          `--storage.tsdb.path=${folder.at("data")}`,
          `--web.listen-address=127.0.0.1:${api}`,
        ];
        server = run(prometheus ?? "", args, { signal: stop.signal });
        await until(() =>
          ask("alerts").then(
            () => true,
            () => false,
          ),
        );
        await until(async () => (await firing()).includes("ComputeCloudEndpointStuck"));

        await place.fault({ interface: "rest", times: 9_999 }, { status: 401 });
        await until(async () => (await scrape(port)).text.includes('computecloud_up{kind="queues"} 0'));
        await until(async () => (await firing()).includes("ComputeCloudUnread"));
        expect(await firing()).toEqual(["ComputeCloudEndpointStuck", "ComputeCloudUnread"]);
        // The figures that an objective is written with.
        const { result } = await ask(
          `query?query=${encodeURIComponent("avg_over_time((computecloud_endpoint_queue_age_seconds < bool 60)[5m:1s])")}`,
        );
        expect(result).toMatchObject([{ metric: { endpoint_id: endpointId } }]);
      });
      await until(async () => (await firing()).includes("ComputeCloudWatchGone"));
      expect(await firing()).toContain("ComputeCloudEndpointStuck");
    } finally {
      stop.abort();
      await server;
    }
  },
);
