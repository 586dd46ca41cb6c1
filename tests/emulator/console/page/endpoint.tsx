import { BodyAct } from "./act.js";
import { Bars, Steps } from "./chart.js";
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
        <Load samples={samples} jobs={jobs} now={now} />
      </Section>
      <Section title="Workers">
        {workers.length === 0 && <p class="quiet">It has none at the moment.</p>}
        <Table label="Workers" head={["Id", "State", "Version", "GPU", "Data center", "Job", "Since"]}>
          {workers.map((worker) => (
            <tr key={worker.id}>
              <th scope="row">
                <a href={linkTo("workers", worker.id)}>{worker.id}</a>
              </th>
              <td>
                <State of={worker.status} />
              </td>
              <td>
                {worker.version}
                {worker.stale && " (to be replaced)"}
              </td>
              <td>{worker.gpuTypeId}</td>
              <td>{worker.dataCenterId}</td>
              <td>{worker.jobId !== null && <a href={linkTo("jobs", worker.jobId)}>{worker.jobId}</a>}</td>
              <td class="id time">{timeOfDay(worker.since)}</td>
            </tr>
          ))}
        </Table>
      </Section>
      <Section title="Jobs">
        <p>
          {Object.entries(jobCounts)
            .map(([name, count]) => `${count} ${WORDS[name] ?? name}`)
            .join(", ")}
        </p>
        <Jobs jobs={jobs} />
        <BodyAct
          label="Run the job"
          hint="A job to run"
          call={{ interface: "queue", method: "POST", path: `/v2/${encodeURIComponent(id)}/run` }}
          body={{ input: { prompt: "Are you there?" } }}
        />
      </Section>
      <Section title="Releases">
        <Table label="Releases" head={["Version", "When", "What changed"]}>
          {releases.map(({ version, createdAt, fields }) => (
            <tr key={version}>
              <th scope="row">{version}</th>
              <td class="id time">{dateAndTime(createdAt)}</td>
              <td>{fields.join(", ") || "first release"}</td>
            </tr>
          ))}
        </Table>
      </Section>
    </>
  );
}

const WORDS: Readonly<Record<string, string>> = { inQueue: "in queue", inProgress: "in progress" };

function Load({ samples, jobs, now }: { samples: readonly Sample[]; jobs: readonly JobLine[]; now: number }) {
  const times = samples.map(({ at }) => at);
  const series = (name: string, value: (sample: Sample) => number) => ({ name, values: samples.map(value) });
  const done = jobs.filter(({ execution }) => execution !== null).toReversed();
  return (
    <div class="charts">
      <Steps
        title="Workers"
        times={times}
        until={now}
        series={[
          series("running", ({ running }) => running),
          series("idle", ({ idle }) => idle),
          series("starting", ({ starting }) => starting),
          series("unwell", ({ unwell }) => unwell),
        ]}
      />
      <Steps title="Jobs in queue" times={times} until={now} series={[series("queued", ({ queued }) => queued)]} />
      <Bars
        title="Time of the latest jobs"
        format={duration}
        series={[
          { name: "delay", values: done.map(({ delay }) => delay ?? 0) },
          { name: "execution", values: done.map(({ execution }) => execution ?? 0) },
        ]}
      />
    </div>
  );
}

function Jobs({ jobs }: { jobs: readonly JobLine[] }) {
  return (
    <Table label="Latest jobs" head={["Id", "State", "Came", "Delay", "Execution", "Input", "Output"]}>
      {jobs.map((job) => (
        <tr key={job.id}>
          <th scope="row">
            <a href={linkTo("jobs", job.id)}>{job.id}</a>
          </th>
          <td>
            <State of={job.status} />
          </td>
          <td class="id time">{timeOfDay(job.createdAt)}</td>
          <td class="number">{job.delay !== null && duration(job.delay)}</td>
          <td class="number">{job.execution !== null && duration(job.execution)}</td>
          <td class="id">{job.input}</td>
          <td class="id">{job.output}</td>
        </tr>
      ))}
    </Table>
  );
}
