import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { dateAndTime, pretty } from "./format.js";
import type { LogLine } from "./protocol";

/** The color of a state. Other states are neutral. */
const TONES: Readonly<Record<string, "good" | "busy" | "bad" | "off">> = {
  RUNNING: "good",
  READY: "good",
  IDLE: "good",
  COMPLETED: "good",
  WORKING: "busy",
  WAITING: "busy",
  PROVISIONING: "busy",
  STARTING: "busy",
  INITIALIZING: "busy",
  IN_QUEUE: "busy",
  IN_PROGRESS: "busy",
  STUCK: "bad",
  ERROR: "bad",
  FAILED: "bad",
  TIMED_OUT: "bad",
  THROTTLED: "bad",
  UNHEALTHY: "bad",
  EXITED: "off",
  RESTING: "off",
  CANCELLED: "off",
};

export function State({ of: state }: { of: string }) {
  return state === "" ? null : <span class={`state ${TONES[state] ?? "off"}`}>{state.replaceAll("_", " ")}</span>;
}

export function Section({ title, children }: { title: ComponentChildren; children: ComponentChildren }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A table with its own scroll bar, for narrow windows. */
export function Table({
  label,
  head,
  children,
}: {
  label: string;
  head: readonly string[];
  children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="scroll" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
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

/** A line that can be copied. */
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
export function usePages<T>(items: readonly T[], size: number): { shown: readonly T[]; pager: ComponentChildren } {
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
  return { shown: items.slice(current * size, (current + 1) * size), pager };
}
