/** Every metric, with its help. All are gauges of OpenMetrics 1.0. */
const METRICS = {
  up: "Whether the last look could read this.",
  read_timestamp_seconds: "When this could last be read.",
  endpoint_workers_max: "Maximum of workers of an endpoint.",
  endpoint_workers_min: "Workers that are always on.",
  endpoint_jobs: "Jobs of a queue by state; completed, failed and retried as the service counts them.",
  endpoint_workers: "Workers of an endpoint by state.",
  endpoint_healthy:
    "Whether a load balancer has answered the last probe, its health check. Absent before the first one.",
  endpoint_probes:
    "Probes of a load balancer since the watch began, by whether a worker answered. A probe starts no worker and keeps none.",
  endpoint_queue_age_seconds: "How long the oldest waiting job has been seen to wait; 0 if none waits.",
  endpoint_job_latency_seconds:
    "From the look that first saw the job that ended last to the look that saw it ended. Absent if none has ended since the last look.",
  endpoint_stuck: "Whether an endpoint has been stuck for as long as the watch waits.",
  pods: "Pods by status.",
  pod_cost_usd_per_hour: "Current cost of a pod.",
  worker_quota: "Workers that all endpoints together may have.",
  balance_usd: "Balance of the account.",
  billed_last_day_usd: "Amount billed in the last 24 hours and in the one that has begun.",
  stack_drifted_resources: "Resources of a stack that differ from the service, or are gone.",
  stack_compared_timestamp_seconds: "When the stack could last be compared.",
  stack_up: "Whether the last comparison of the stack succeeded.",
};
type Metric = keyof typeof METRICS;
const names = Object.keys(METRICS) as readonly Metric[];

export type Labels = Readonly<Record<string, string>>;
/** A sample without a value is left out. All samples of a metric have the same labels. */
export type Sample = readonly [labels: Labels, value: number | undefined];
export type Samples = { readonly [Name in Metric]?: readonly Sample[] };

export const CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** The text of a scrape's answer. Metrics without samples are left out. */
export function exposition(samples: Samples): string {
  const families = names.flatMap((metric) => {
    const name = `computecloud_${metric}`;
    const lines = (samples[metric] ?? []).flatMap(([labels, value]) =>
      value === undefined ? [] : [`${name}${labelsOf(labels)} ${value}`],
    );
    return lines.length === 0 ? [] : [`# TYPE ${name} gauge`, `# HELP ${name} ${METRICS[metric]}`, ...lines];
  });
  return [...families, "# EOF", ""].join("\n");
}

function labelsOf(labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
