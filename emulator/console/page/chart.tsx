/* Plots as SVG paths. The browser scales them, the style sheet colors them, and a table or text shows the figures. */
import type { ComponentChildren } from "preact";
import { timeOfDay } from "./format.js";
import type { Sample } from "./protocol";

type Level = keyof Omit<Sample, "at">;

interface HistoryProps {
  readonly title: string;
  /** Each holds until the next. */
  readonly history: readonly Sample[];
  /** The end of the last one. */
  readonly until: number;
}

interface StepsProps extends HistoryProps {
  readonly series: readonly (readonly [of: Level, name: string, tone: string])[];
}

const WIDTH = 300;
const HEIGHT = 60;

/** Counts over time: each holds until the next. Drawn only above zero: a red line at zero would look like an alarm. */
export function Steps({ title, history, series, until }: StepsProps) {
  const drawnSeries = series
    .map(([of, name, tone]) => ({ of, name, tone, values: history.map((sample) => sample[of]) }))
    .filter(({ values }) => values.some((value) => value > 0));
  const most = Math.max(1, ...drawnSeries.flatMap(({ values }) => values));
  const from = history[0]?.at ?? until;
  return (
    <Figure
      title={title}
      series={drawnSeries}
      scale={[String(most), "0"]}
      along={[from, (from + until) / 2, until].map(timeOfDay)}
    >
      {drawnSeries.map(({ of, tone }) => (
        <path key={of} class={`line ${tone}`} d={stepsPath(history, of, until, most)} />
      ))}
    </Figure>
  );
}

/** A plot as small as a word. */
export function Spark({
  title,
  history,
  of,
  until,
  tone,
}: HistoryProps & { readonly of: Level; readonly tone: string }) {
  const most = Math.max(...history.map((sample) => sample[of])) || 1;
  return (
    <Plot class="spark" label={title}>
      <path class={`line ${tone}`} d={stepsPath(history, of, until, most)} />
    </Plot>
  );
}

function stepsPath(history: readonly Sample[], of: Level, until: number, most: number): string {
  const from = history[0]?.at ?? until;
  const span = Math.max(1, until - from);
  const x = (index: number) => round((((history[index]?.at ?? until) - from) / span) * WIDTH);
  const y = (value: number) => round(HEIGHT - (value / most) * (HEIGHT - 4) - 2);
  const step = ({ [of]: value }: Sample, index: number) => {
    const wasAbove = (history[index - 1]?.[of] ?? 0) > 0;
    if (value === 0) return wasAbove ? `V${HEIGHT}` : "";
    return `${wasAbove ? "" : `M${x(index)},${HEIGHT}`}V${y(value)}H${x(index + 1)}`;
  };
  return history.map(step).join("");
}

/** Amounts beside each other, as parts of the largest sum. */
export function Stack({ parts, most }: { parts: readonly { tone: string; amount: number }[]; most: number }) {
  let end = 0;
  return (
    <svg class="stack" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ tone, amount }) => {
        const width = (amount / (most || 1)) * 100;
        end += width;
        return <rect key={tone} class={`bar ${tone}`} x={round(end - width)} width={round(width)} height={1} />;
      })}
    </svg>
  );
}

export interface Stretch {
  readonly name: string;
  readonly tone: string;
  readonly ms: number;
}

interface TimelineProps {
  readonly class?: string;
  readonly label: string;
  readonly stretches: readonly Stretch[];
  readonly whole: number;
}

/** What follows upon what, from the left; `whole` ms fill the width. */
export function Timeline({ class: name = "", label, stretches, whole }: TimelineProps) {
  const scale = WIDTH / Math.max(1, whole);
  return (
    <Plot class={`timeline ${name}`} label={label}>
      {stretches.map(({ name, tone, ms }, index) => {
        const before = stretches.slice(0, index).reduce((sum, stretch) => sum + stretch.ms, 0);
        // A stretch of no time is seen as well.
        const width = round(Math.max(2, ms * scale));
        return <rect key={name} class={`bar ${tone}`} x={round(before * scale)} y={8} width={width} height={44} />;
      })}
    </Plot>
  );
}

interface FigureProps {
  readonly title: string;
  /** `tone` is the class of its color. */
  readonly series: readonly { readonly name: string; readonly tone: string; readonly values: readonly number[] }[];
  /** What each position is. */
  readonly along: readonly string[];
  /** The ends of the vertical axis, from the top. */
  readonly scale: readonly string[];
  readonly children: ComponentChildren;
}

function Figure({ title, series, scale, along, children }: FigureProps) {
  const latest = series.map(({ name, values }) => `${name} ${values.at(-1) ?? 0}`).join(", ");
  return (
    <figure>
      <figcaption>
        {title}
        {series.map(({ name, tone }) => (
          <span key={name} class={`key ${tone}`}>
            {name}
          </span>
        ))}
      </figcaption>
      <div class="axes">
        <Ticks texts={scale} />
        <Plot class="plot" label={`${title}; latest: ${latest}`}>
          <path class="middle" d={`M0,${HEIGHT / 2}H${WIDTH}`} />
          {children}
        </Plot>
        <Ticks texts={along} />
      </div>
    </figure>
  );
}

const Ticks = ({ texts }: { texts: readonly string[] }) => (
  <div class="ticks">
    {texts.map((text, index) => (
      <span key={index}>{text}</span>
    ))}
  </div>
);

const Plot = ({ class: name, label, children }: { class: string; label: string; children: ComponentChildren }) => (
  <svg class={name} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
    <title>{label}</title>
    {children}
  </svg>
);

const round = (value: number): number => Math.round(value * 10) / 10;
