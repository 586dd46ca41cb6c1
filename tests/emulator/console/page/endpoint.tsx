import { BodyAct } from "./act.js";
import { Steps, type Stretch, Timeline } from "./chart.js";
import { dateAndTime, duration, timeOfDay } from "./format.js";
import { Section, State, Table } from "./parts.js";
import type { EndpointDetail, JobLine, Sample } from "./protocol";
import { RolloutSection } from "./rollout.js";
import { linkTo } from "./route.js";

/** An endpoint's load, workers, jobs and releases. */
export function EndpointSections({ id, detail, now }: { id: string; detail: EndpointDetail; now: number }) {
  const { workers, jobs, jobCounts, releases, samples, rollout } = detail;
  return (
    <>
      {rollout !== undefined && <RolloutSection rollout={rollout} />}
      <Section title="Load since this console was opened">
        <LoadPlots samples={samples} now={now} />
      </Section>
      <Section title="Workers">
        {workers.length === 0 && <p class="quiet">It has none at the moment.</p>}
        {workers.length > 0 && <Workers workers={workers} />}
      </Section>
      <Section title="Jobs">
        <p>
          {Object.entries(jobCounts)
            .map(([name, count]) => `${count} ${WORDS[name] ?? name}`)
            .join(", ")}
        </p>
        {jobs.length > 0 && <Jobs jobs={jobs} now={now} />}
        <BodyAct
          label="Run the job"
          hint="A job to run"
          call={{ interface: "queue", method: "POST", path: `/v2/${encodeURIComponent(id)}/run` }}
          body={{ input: { prompt: "Are you there?" } }}
        />
      </Section>
      <Section title="Releases">
        <Table class="releases" label="Releases" head={["Version", "When", "What changed"]}>
          <tbody>
            {releases.map(({ version, createdAt, fields }) => (
              <tr key={version}>
                <th scope="row">{version}</th>
                <td class="id">{dateAndTime(createdAt)}</td>
                <td class="wrap">{fields.join(", ") || "first release"}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Section>
    </>
  );
}

const WORDS: Readonly<Record<string, string>> = { inQueue: "in queue", inProgress: "in progress" };

function LoadPlots({ samples, now }: { samples: readonly Sample[]; now: number }) {
  const times = samples.map(({ at }) => at);
  const series = (name: string, tone: string, value: (sample: Sample) => number) => ({
    name,
    tone,
    values: samples.map(value),
  });
  return (
    <div class="charts">
      <Steps
        title="Workers"
        times={times}
        until={now}
        series={[
          series("running", "running", ({ running }) => running),
          series("idle", "idle", ({ idle }) => idle),
          series("starting", "starting", ({ starting }) => starting),
          series("unwell", "unhealthy", ({ unwell }) => unwell),
        ]}
      />
      <Steps
        title="Jobs in queue"
        times={times}
        until={now}
        series={[series("queued", "starting", ({ queued }) => queued)]}
      />
    </div>
  );
}

function Workers({ workers }: Pick<EndpointDetail, "workers">) {
  return (
    <Table class="workers" label="Workers" head={["Id", "State", "Since", "Version", "GPU", "Data center", "Job"]}>
      <tbody>
        {workers.map(({ id, status, since, version, stale, gpuTypeId, dataCenterId, jobId }) => (
          <tr key={id}>
            <th scope="row">
              <a href={linkTo("workers", id)}>{id}</a>
            </th>
            <td>
              <State of={status} />
            </td>
            <td class="id">{timeOfDay(since)}</td>
            <td data-label="Version">
              {version}
              {stale && " (stale)"}
            </td>
            <td title={gpuTypeId ?? ""}>{gpuTypeId}</td>
            <td>{dataCenterId}</td>
            <td class="id">{jobId !== null && <a href={linkTo("jobs", jobId)}>{jobId}</a>}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The ways of the jobs, drawn to the same scale. */
function Jobs({ jobs, now }: { jobs: readonly JobLine[]; now: number }) {
  const ways = new Map(jobs.map((job) => [job, wayOf(job, now)]));
  const whole = Math.max(...Array.from(ways.values(), (way) => way.reduce((sum, { ms }) => sum + ms, 0)));
  return (
    <>
      <p class="quiet">
        The way of a job: <span class="key stopped">queued</span> <span class="key starting">cold start</span>{" "}
        <span class="key running">run</span> <span class="key unhealthy">failed run</span>
      </p>
      <Table class="jobs" label="Latest jobs" head={["Id", "State", "Came", "Way", "Input", "Result"]}>
        <tbody>
          {Array.from(ways, ([job, way]) => {
            const words = way.map(({ name, ms }) => `${name} ${duration(ms)}`).join(", ");
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

/** The stretches of a job's way so far. */
function wayOf({ status, createdAt, delay, coldStart, execution }: JobLine, now: number): Stretch[] {
  const waited = delay ?? (status === "IN_QUEUE" ? Math.max(0, now - createdAt) : 0);
  const ran = execution ?? (status === "IN_PROGRESS" ? Math.max(0, now - createdAt - waited) : undefined);
  const isBad = status === "FAILED" || status === "TIMED_OUT";
  return [
    { name: "queued", tone: "stopped", ms: waited - coldStart },
    ...(coldStart > 0 ? [{ name: "cold start", tone: "starting", ms: coldStart }] : []),
    ...(ran === undefined ? [] : [{ name: "run", tone: isBad ? "unhealthy" : "running", ms: ran }]),
  ];
}
