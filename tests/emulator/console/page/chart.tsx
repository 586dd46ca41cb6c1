/* Plots as SVG paths. The browser scales them, the style sheet colors them, and a table shows the figures. */
import type { ComponentChildren } from "preact";

export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

interface StepsProps {
  readonly title: string;
  /** When each value began to hold, ascending, ms. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** The end of the last values. */
  readonly until: number;
}

const WIDTH = 300;
const HEIGHT = 60;

/** Counts over time: each holds until the next. */
export function Steps({ title, times, series, until }: StepsProps) {
  const from = times[0] ?? until;
  const span = Math.max(1, until - from);
  const most = Math.max(1, ...series.flatMap(({ values }) => values));
  const x = (at: number) => round(((at - from) / span) * WIDTH);
  const y = (value: number) => round(HEIGHT - (value / most) * (HEIGHT - 2) - 1);
  const path = (values: readonly number[]) =>
    `${values.map((value, index) => `${index === 0 ? "M" : "H"}${x(times[index] ?? from)}${index === 0 ? "," : "V"}${y(value)}`).join("")}H${WIDTH}`;
  return (
    <Figure title={title} series={series} most={String(most)}>
      {series.map(({ name, values }, index) => (
        <path key={name} class={`line line${index}`} d={path(values)} />
      ))}
    </Figure>
  );
}

interface BarsProps {
  readonly title: string;
  readonly series: readonly Series[];
  /** Formats a value. */
  readonly format: (value: number) => string;
}

/** One stack of bars for each position of the series. */
export function Bars({ title, series, format }: BarsProps) {
  const count = Math.max(1, ...series.map(({ values }) => values.length));
  const sums = Array.from({ length: count }, (_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  const most = Math.max(...sums) || 1;
  const width = WIDTH / count;
  const height = (value: number) => (value / most) * (HEIGHT - 2);
  return (
    <Figure title={title} series={series} most={format(most)}>
      {series.flatMap(({ name, values }, index) =>
        values.map((value, at) => {
          const below = series.slice(0, index).reduce((sum, other) => sum + (other.values[at] ?? 0), 0);
          const top = round(HEIGHT - height(below + value));
          const key = `${name} ${at}`;
          return (
            <rect
              key={key}
              class={`bar bar${index}`}
              x={round(at * width)}
              y={top}
              width={round(width * 0.9)}
              height={round(height(value))}
            />
          );
        }),
      )}
    </Figure>
  );
}

function Figure({
  title,
  series,
  most,
  children,
}: Omit<BarsProps, "format"> & { most: string; children: ComponentChildren }) {
  const latest = series.map(({ name, values }) => `${name} ${values.at(-1) ?? 0}`).join(", ");
  return (
    <figure>
      <figcaption>
        {title}, up to {most}
        {series.map(({ name }, index) => (
          <span key={name} class={`key key${index}`}>
            {name}
          </span>
        ))}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}; latest: ${latest}`}
      >
        {children}
      </svg>
    </figure>
  );
}

const round = (value: number): number => Math.round(value * 10) / 10;
