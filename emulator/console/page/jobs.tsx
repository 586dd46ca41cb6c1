import { type Stretch, Timeline } from "./chart.js";
import { duration, timeOfDay } from "./format.js";
import { Section, State, Table } from "./parts.js";
import type { JobLine } from "./protocol";
import { linkTo } from "./route.js";

/** The ways of the jobs, drawn to the same scale. */
export function Jobs({ jobs, now }: { jobs: readonly JobLine[]; now: number }) {
  const ways = new Map(jobs.map((job) => [job, wayOf(job, now)]));
  const whole = Math.max(...Array.from(ways.values(), (way) => way.reduce((sum, { ms }) => sum + ms, 0)));
  return (
    <>
      <p class="quiet">
        Timeline: <span class="key stopped">queued</span> <span class="key starting">cold start</span>{" "}
        <span class="key running">run</span> <span class="key unhealthy">failed run</span>
      </p>
      <Table class="jobs" label="Latest jobs" head={["Id", "State", "At", "Timeline", "Input", "Result"]}>
        <tbody>
          {Array.from(ways, ([job, way]) => {
            const words = wordsOf(way);
            return (
              <tr key={job.id}>
                <th scope="row" title={job.id}>
                  <a href={linkTo("jobs", job.id)}>{job.id}</a>
                </th>
                <td>
                  <State of={job.status} />
                </td>
                <td class="id">{timeOfDay(job.createdAt)}</td>
                <td title={words}>
                  <Timeline label={words} stretches={way} whole={whole} />
                  <span class="quiet">{words}</span>
                </td>
                <td class="id" title={job.input}>
                  {job.input}
                </td>
                <td class="id" title={job.output}>
                  {job.output}
                </td>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </>
  );
}

/** A job's whole way: when each step began, how long it took, and what came of it. */
export function JobSection({ job, now }: { job: JobLine; now: number }) {
  const way = wayOf(job, now);
  const whole = way.reduce((sum, { ms }) => sum + ms, 0);
  const steps = way.map(({ name, tone, ms }, index) => {
    const began = way.slice(0, index).reduce((time, stretch) => time + stretch.ms, job.queuedAt);
    // A cold start may lie anywhere in the wait.
    const visibleStart = name === "cold start" ? undefined : began;
    return {
      name,
      step: <span class={`state ${tone}`}>{name}</span>,
      began: visibleStart,
      took: "Took",
      ms,
      result: "",
    };
  });
  const { finishedAt, queuedAt, status, output } = job;
  if (finishedAt !== null) {
    const ms = finishedAt - queuedAt;
    steps.push({ name: status, step: <State of={status} />, began: finishedAt, took: "In all", ms, result: output });
  }
  return (
    <Section title="Timeline">
      <Timeline class="whole" label={wordsOf(way)} stretches={way} whole={whole} />
      <Table class="steps" label="Timeline" head={["Step", "Began", "Took", "Result"]}>
        <tbody>
          {steps.map(({ name, step, began, took, ms, result }) => (
            <tr key={name}>
              <th scope="row">{step}</th>
              <td class="id">{began !== undefined && timeOfDay(began)}</td>
              <td data-label={took}>{duration(ms)}</td>
              <td class="id" title={result}>
                {result}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

const wordsOf = (way: readonly Stretch[]): string => way.map(({ name, ms }) => `${name} ${duration(ms)}`).join(", ");

function wayOf({ status, queuedAt, finishedAt, delay, coldStart, execution }: JobLine, now: number): Stretch[] {
  const waited = delay ?? Math.max(0, (finishedAt ?? now) - queuedAt);
  const ran = execution ?? (status === "IN_PROGRESS" ? Math.max(0, now - queuedAt - waited) : undefined);
  const isBad = status === "FAILED" || status === "TIMED_OUT";
  return [
    { name: "queued", tone: "stopped", ms: waited - coldStart },
    ...(coldStart > 0 ? [{ name: "cold start", tone: "starting", ms: coldStart }] : []),
    ...(ran === undefined ? [] : [{ name: "run", tone: isBad ? "unhealthy" : "running", ms: ran }]),
  ];
}
