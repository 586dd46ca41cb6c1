import { useState } from "preact/hooks";
import { Act, BodyAct } from "./act.js";
import { EndpointSections } from "./endpoint.js";
import { useDetail } from "./feed.js";
import { JobSection } from "./jobs.js";
import { KINDS } from "./kinds.js";
import { Json, Log, Section, State } from "./parts.js";
import type { Detail, DetailKind, Kind, Row } from "./protocol";
import { linkTo } from "./route.js";

const POD_ACTIONS = ["start", "stop", "restart"] as const;
const WITH_LOG: ReadonlySet<DetailKind> = new Set(["pods", "workers", "jobs"]);

interface DetailPageProps {
  readonly kind: DetailKind;
  readonly id: string;
  readonly row: Row | undefined;
  readonly now: number;
}

export function DetailPage({ kind, id, row, now }: DetailPageProps) {
  const [showsSecrets, setShowsSecrets] = useState(false);
  const { value: detail } = useDetail(kind, id, showsSecrets);
  if (detail === undefined) return <p class="quiet">Loading …</p>;
  const { record, endpoint, job } = detail;
  if (record === null) return <p>Not found, or deleted: {id}</p>;
  return (
    <>
      <p class="under">
        <State of={row?.state || String(record.status ?? "")} />
        {/* Without a name the title is the id. */}
        {row?.name && <span class="id">{id}</span>}
        {typeof record.image === "string" && <span class="id">{record.image}</span>}
        {typeof record.endpointId === "string" && (
          <a href={linkTo("endpoints", record.endpointId)}>Endpoint {record.endpointId}</a>
        )}
      </p>
      {job !== undefined && <JobSection job={job} now={now} />}
      {endpoint !== undefined && <EndpointSections id={id} detail={endpoint} now={now} />}
      {detail.stream.length > 0 && (
        <Section title="Stream, not fetched yet">
          <Json label="Stream" value={detail.stream} />
        </Section>
      )}
      {WITH_LOG.has(kind) && (
        <Section title="Log">
          <Log lines={detail.log} />
        </Section>
      )}
      <Acts kind={kind} id={id} record={record} />
      <Section title="Record">
        <p>
          <button type="button" aria-pressed={showsSecrets} onClick={() => setShowsSecrets(!showsSecrets)}>
            {showsSecrets ? "Hide secrets" : "Show secrets"}
          </button>
        </p>
        <Json label="Record" value={record} />
      </Section>
    </>
  );
}

interface ActsProps {
  readonly kind: DetailKind;
  readonly id: string;
  readonly record: NonNullable<Detail["record"]>;
}

/** Changes as somebody could make them in the vendor's console. A program that runs afterwards finds drift. */
function Acts({ kind, id, record }: ActsProps) {
  if (kind === "jobs") return <JobActs id={id} record={record} />;
  if (kind === "workers" || KINDS[kind].path === undefined) return null;
  const path = `${KINDS[kind].path}/${encodeURIComponent(id)}`;
  return (
    <Section title="As if in the vendor's console">
      {kind === "pods" && (
        <div class="acts">
          {POD_ACTIONS.map((action) => (
            <Act
              key={action}
              label={`${action[0]?.toUpperCase()}${action.slice(1)}`}
              call={{ interface: "rest", method: "POST", path: `${path}/action`, body: { action } }}
            />
          ))}
        </div>
      )}
      {KINDS[kind].changes && (
        <BodyAct
          key={id}
          label="Change it"
          hint="Fields to change, as REST takes them"
          call={{ interface: "rest", method: "PATCH", path }}
          body={exampleChange(kind, record)}
        />
      )}
      <Act label="Delete it" asks call={{ interface: "rest", method: "DELETE", path }} />
    </Section>
  );
}

function JobActs({ id, record }: Pick<ActsProps, "id" | "record">) {
  const path = (operation: string) =>
    `/v2/${encodeURIComponent(String(record.endpointId))}/${operation}/${encodeURIComponent(id)}`;
  return (
    <div class="acts">
      <Act label="Cancel" call={{ interface: "queue", method: "POST", path: path("cancel") }} />
      <Act label="Retry" call={{ interface: "queue", method: "POST", path: path("retry") }} />
    </div>
  );
}

function exampleChange(kind: Kind, { name, workers, size }: ActsProps["record"]): unknown {
  if (kind === "endpoints") return { name, workers };
  if (kind === "networkVolumes") return { name, size };
  if (kind === "secrets") return { value: "another value" };
  if (kind === "registries") return { username: "somebody", password: "another password" };
  return { name };
}
