import type { Service } from "../service";
import type { EndpointRecord } from "../store/records";
import { jobLine } from "./jobLine";
import type { Rollout, RolloutSide } from "./page/protocol";

/** A name as infrastructure programs make it up: what the program calls it, and seven characters. */
const MADE_UP = /^(?<base>.+?)(?<candidate>-candidate)?-[0-9a-f]{7}$/;

/** What a rollout's endpoint and its candidate have in common; undefined for a name of another form. */
export function rolloutName(name: string): string | undefined {
  return MADE_UP.exec(name)?.groups?.base;
}

/** The endpoint and the candidate on which its changes are tried first; undefined where there is no candidate. */
export function rolloutOf(service: Service, { name }: EndpointRecord): Rollout | undefined {
  const base = rolloutName(name);
  if (base === undefined) return undefined;
  const both = Array.from(service.store.endpoints.values()).filter((each) => rolloutName(each.name) === base);
  const candidate = both.find(isCandidate);
  const live = both.find((each) => !isCandidate(each));
  return candidate && { candidate: side(service, candidate), ...(live && { live: side(service, live) }) };
}

const isCandidate = ({ name }: EndpointRecord) => MADE_UP.exec(name)?.groups?.candidate !== undefined;

function side({ store }: Service, { id, name, image, workers, createdAt }: EndpointRecord): RolloutSide {
  const release = store.releases.by("endpoint", id).at(-1);
  const job = store.jobs.by("endpoint", id).at(-1);
  return {
    id,
    name,
    image,
    mostWorkers: workers.max,
    since: release?.createdAt ?? createdAt,
    ...(job && { job: jobLine(job) }),
  };
}
