import type { ComponentChildren } from "preact";
import { duration, timeOfDay } from "./format.js";
import { Section, State, Table } from "./parts.js";
import type { Rollout, RolloutSide } from "./protocol";
import { linkTo } from "./route.js";

export function RolloutSection({ rollout: { candidate, live } }: { rollout: Rollout }) {
  const isThrough = live !== undefined && live.image === candidate.image;
  const { id, execution = null, output, status = "", createdAt } = candidate.job ?? {};
  return (
    <Section title="Gated rollout">
      <Table class="rollout" label="Gated rollout" head={["Step", "State", "Since", "What"]}>
        <tbody>
          <Step name="Candidate" state={candidate.mostWorkers > 0 ? "RUNNING" : "RESTING"} since={candidate.since}>
            <Side of={candidate} /> has {candidate.image} and workers.max {candidate.mostWorkers}
          </Step>
          <Step name="Job" state={status} since={createdAt}>
            {id === undefined ? "none so far" : <a href={linkTo("jobs", id)}>{id}</a>}
            {execution !== null && ` took ${duration(execution)}: ${output}`}
          </Step>
          <Step name="Switch" state={isThrough ? "COMPLETED" : "WAITING"} since={isThrough ? live.since : undefined}>
            {live === undefined ? (
              "the endpoint is not made yet"
            ) : (
              <>
                <Side of={live} /> serves {live.image}
              </>
            )}
          </Step>
        </tbody>
      </Table>
    </Section>
  );
}

interface StepProps {
  readonly name: string;
  readonly state: string;
  readonly since: number | undefined;
  readonly children: ComponentChildren;
}

function Step({ name, state, since, children }: StepProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <State of={state} />
      </td>
      <td class="id">{since !== undefined && timeOfDay(since)}</td>
      <td class="wrap">{children}</td>
    </tr>
  );
}

const Side = ({ of: { id, name } }: { of: RolloutSide }) => <a href={linkTo("endpoints", id)}>{name}</a>;
