/** A gauge of OpenMetrics 1.0. All samples of a name share its help and label names. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

export const CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** The text of a scrape's answer. Gauges without samples are left out. */
export function exposition(gauges: readonly Gauge[]): string {
  const families = gauges
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, samples }) =>
      [
        `# TYPE ${name} gauge`,
        `# HELP ${name} ${escaped(help)}`,
        ...samples.map(({ labels = {}, value }) => `${name}${labelsOf(labels)} ${value}`),
      ].join("\n"),
    );
  return [...families, "# EOF", ""].join("\n");
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
