import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { dateAndTime, pretty } from "./format.js";
import type { Load, LogLine, Row } from "./protocol";

/**
 * The colors of states, which are classes of the style sheet. What needs eyes comes first; other states are as quiet as a
 * stopped one.
 */
const TONES: Readonly<Record<string, readonly string[]>> = {
  unhealthy: ["STUCK", "ERROR", "FAILED", "TIMED_OUT", "UNHEALTHY"],
  throttled: ["THROTTLED"],
  starting: ["WAITING", "PROVISIONING", "STARTING", "INITIALIZING", "IN_QUEUE"],
  running: ["RUNNING", "WORKING", "IN_PROGRESS", "COMPLETED"],
  idle: ["READY", "IDLE"],
  stopped: [],
};
const URGENCY = Object.keys(TONES);

const toneOf = (state: string): string => URGENCY.find((tone) => TONES[tone]?.includes(state)) ?? "stopped";

/** Whether it has failed, or is held up. */
export const needsLook = (row: Parameters<typeof urgencyOf>[0]): boolean =>
  urgencyOf(row) <= URGENCY.indexOf("throttled");

/** How soon somebody should look at it: the lower, the sooner. Failed jobs and bad workers count as much as a bad state. */
export function urgencyOf({ state, load }: Pick<Row, "state" | "load">): number {
  const { throttled = 0, unhealthy = 0 } = load?.workers ?? {};
  const failed = unhealthy + (load?.failed ?? 0);
  const tone = failed > 0 ? "unhealthy" : throttled > 0 ? "throttled" : "stopped";
  return Math.min(URGENCY.indexOf(tone), URGENCY.indexOf(toneOf(state)));
}

export function State({ of: state }: { of: string }) {
  const words = state.replaceAll("_", " ");
  return state === "" ? null : <span class={`state ${toneOf(state)}`}>{words[0] + words.slice(1).toLowerCase()}</span>;
}

const MOST_DOTS = 12;

/** An endpoint's workers, one dot each; the hollow ones are those that it may still start. */
export function Dots({ workers, most }: Pick<Load, "workers" | "most">) {
  const there = Object.entries(workers).filter(([, count]) => count > 0);
  const dots = there.flatMap(([state, count]) => Array.from({ length: count }, () => state));
  const text = `${there.map(([state, count]) => `${count} ${state}`).join(", ") || "no workers"}, at most ${most}`;
  while (dots.length < most && dots.length < MOST_DOTS) dots.push("free");
  return (
    <span class="dots" role="img" aria-label={text} title={text}>
      {dots.slice(0, MOST_DOTS).map((state, index) => (
        <span key={index} class={`dot ${state}`} />
      ))}
      {Math.max(most, dots.length) > MOST_DOTS && `+${Math.max(most, dots.length) - MOST_DOTS}`}
    </span>
  );
}

export function Section({ title, children }: { title: ComponentChildren; children: ComponentChildren }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface TableProps {
  readonly label: string;
  readonly head: readonly string[];
  /** Gives the columns their widths. */
  readonly class: string;
  readonly children: ComponentChildren;
}

/** A table of one line per thing, and of one card in narrow windows. */
export function Table({ label, head, class: name, children }: TableProps) {
  return (
    <table class={name} aria-label={label}>
      <thead>
        <tr>
          {head.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      {children}
    </table>
  );
}

export const Code = ({ label, text }: { label: string; text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
  <section class="scroll" tabIndex={0} aria-label={label}>
    <pre>{text}</pre>
  </section>
);

export const Json = ({ label, value }: { label: string; value: unknown }) => (
  <Code label={label} text={pretty(value)} />
);

export function Log({ lines }: { lines: readonly LogLine[] }) {
  if (lines.length === 0) return <p class="quiet">Nothing was printed yet.</p>;
  return (
    <Code label="Log" text={lines.map(({ ts, source, line }) => `${dateAndTime(ts)}  ${source}  ${line}`).join("\n")} />
  );
}

export function Copyable({ label, text }: { label: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <div class="copyable">
      <Code label={label} text={text} />
      <button type="button" onClick={copy} aria-label={`Copy the ${label}`}>
        {isCopied ? "Copied" : "Copy"}
      </button>
    </div>
  );
}

/** The items of one page, and the buttons to the others. */
export function usePages<T>(items: readonly T[], size: number): { pageItems: readonly T[]; pager: ComponentChildren } {
  const [page, setPage] = useState(0);
  const last = Math.max(0, Math.ceil(items.length / size) - 1);
  const current = Math.min(page, last);
  const pager = last > 0 && (
    <nav class="pager" aria-label="Pages of the table">
      <button type="button" disabled={current === 0} onClick={() => setPage(current - 1)}>
        Previous
      </button>
      <span>
        {current * size + 1}–{Math.min(items.length, (current + 1) * size)} of {items.length.toLocaleString("en")}
      </span>
      <button type="button" disabled={current === last} onClick={() => setPage(current + 1)}>
        Next
      </button>
    </nav>
  );
  return { pageItems: items.slice(current * size, (current + 1) * size), pager };
}
