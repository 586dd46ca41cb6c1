import { BodyAct } from "./act.js";
import { Steps } from "./chart.js";
import { dateAndTime, timeOfDay } from "./format.js";
import { Jobs } from "./jobs.js";
import { Section, State, Table } from "./parts.js";
import type { EndpointDetail } from "./protocol";
import { RolloutSection } from "./rollout.js";
import { linkTo } from "./route.js";

export function EndpointSections({ id, detail, now }: { id: string; detail: EndpointDetail; now: number }) {
  const { workers, jobs, jobCounts, releases, history, rollout } = detail;
  return (
    <>
      {rollout !== undefined && <RolloutSection rollout={rollout} />}
      <Section title="Load of the last half hour">
        <div class="charts">
          <Steps
            title="Workers"
            history={history}
            until={now}
            series={[
              ["workers", "paid workers", "idle"],
              ["running", "running jobs", "running"],
            ]}
          />
          <Steps title="Jobs in queue" history={history} until={now} series={[["queued", "queued", "starting"]]} />
        </div>
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
