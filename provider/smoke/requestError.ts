import { inSeconds } from "../../common/duration";
import { printableLine } from "../../common/printable";
import { MASK } from "../../common/redact";
import { type Diagnosis, workersCause } from "./diagnosis";
import { type Mismatch, show } from "./expectation";
import { concealedMismatches, diagnosisLines, logLines, mismatchLines } from "./smokeError";
import type { Target } from "./target";

/** What the service shows of a pod after a request to it did not pass. */
export interface PodDiagnosis {
  readonly status?: string | undefined;
  readonly ports?: readonly string[] | undefined;
  /** The port that the request went to. */
  readonly port?: number | undefined;
  readonly log?: readonly string[] | undefined;
}

/** What is known of a request that did not pass. */
export interface RequestFailure {
  /** `endpoint 4kqwe7f0`, `port 8000 of pod xedezhzb9la3ye`, or the beginning of an address. */
  readonly target: string;
  readonly kind: Target["kind"];
  /** Such as `POST /v1/chat/completions`; without the query. */
  readonly request: string;
  /** How often it was sent. 0: no server was there to take it. */
  readonly attempts: number;
  /** The last answer: of the request, or, where it was never sent, to the question whether a server is there. */
  readonly answer?:
    | { readonly status: number; readonly body: string; readonly location?: string | undefined }
    | undefined;
  /** Why there was no answer, such as ECONNREFUSED. */
  readonly connection?: string | undefined;
  readonly mismatches: readonly Mismatch[];
  /** The model that was asked for, and those that are served. */
  readonly models?: { readonly wanted?: string | undefined; readonly served: readonly string[] } | undefined;
  readonly diagnosis?: Diagnosis | undefined;
  readonly pod?: PodDiagnosis | undefined;
  /** Milliseconds until it was given up; absent if the answer was not as expected. */
  readonly gaveUpAfterMs?: number | undefined;
}

/** An answer was not as expected, or none came. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly failure: RequestFailure;
  /** The likely cause as text. */
  readonly reason: string;

  /** @param secretAnswer whether the answer is a secret. Then no part of the error has it */
  constructor(failure: RequestFailure, secretAnswer = false) {
    const safe = secretAnswer ? concealed(failure) : failure;
    const reason = causeOf(safe);
    super([headline(safe, reason), ...details(safe)].join("\n  "));
    this.failure = safe;
    this.reason = reason;
  }
}

function concealed(failure: RequestFailure): RequestFailure {
  const { answer, mismatches } = failure;
  return { ...failure, answer: answer && { ...answer, body: MASK }, mismatches: concealedMismatches(mismatches) };
}

function headline({ request, target, answer, connection, attempts, gaveUpAfterMs }: RequestFailure, reason: string) {
  const last = answer === undefined ? (connection ?? "nothing") : `${answer.status}`;
  const tries = attempts > 1 ? ` (attempt ${attempts})` : "";
  const outcome =
    gaveUpAfterMs === undefined
      ? `got ${last}${tries}`
      : `was not answered within ${inSeconds(gaveUpAfterMs)}, last: ${last}${tries}`;
  return `${request} to ${target} ${outcome}: ${reason}.`;
}

function details({ mismatches, answer, diagnosis, pod }: RequestFailure): string[] {
  return [
    ...mismatchLines("", mismatches),
    ...(answer === undefined || answer.body === "" ? [] : [`The answer begins: ${printableLine(answer.body)}`]),
    ...(diagnosis === undefined ? [] : diagnosisLines(diagnosis)),
    ...(pod === undefined ? [] : [`Pod: ${pod.status ?? "status unknown"}, ports ${pod.ports?.join(", ") || "none"}`]),
    ...logLines("the pod", pod?.log),
  ];
}

/** A server may serve any number of models. */
const MOST_MODELS = 20;
const listed = (models: readonly string[]) => {
  const names = models.slice(0, MOST_MODELS).map((name) => printableLine(name.slice(0, 200)));
  const more = models.length - names.length;
  return [...names, ...(more > 0 ? [`and ${more} more`] : [])].join(", ") || "none";
};

interface Case {
  readonly when: (failure: RequestFailure, status: number) => boolean;
  readonly cause: string | ((failure: RequestFailure) => string);
}

/** Causes of a failure that show in an answer. The first one that applies counts. */
const answerCases: readonly Case[] = [
  {
    when: ({ models }) => models !== undefined,
    cause: ({ models: { wanted, served } = { served: [] } }) =>
      wanted === undefined
        ? "it serves no model"
        : `the model ${show(wanted)} is not served; served are: ${listed(served)}`,
  },
  {
    when: ({ kind }, status) => kind === "url" && (status === 401 || status === 403),
    cause:
      "it wants credentials: give them in `headers`. A `url` never gets the account's key; `endpoint` names an endpoint of the account",
  },
  {
    when: (_, status) => status === 401 || status === 403,
    cause: "the service or the worker's server refused the credentials: give those of a server of its own in `headers`",
  },
  {
    when: ({ request }, status) => status === 404 && request.endsWith("/models"),
    cause: "there is no OpenAI API at this path: look at the image, or give the API's beginning as `path`, such as /v1",
  },
  {
    when: (_, status) => status >= 300 && status < 400,
    cause: ({ answer }) => `it redirects to ${answer?.location ?? "another address"}: give that one`,
  },
  { when: (_, status) => status === 413, cause: "the request is too large; the service passes on 30 MB at most" },
  {
    when: ({ kind }, status) => kind === "loadBalancer" && status === 524,
    cause: "the worker took longer than the 5.5 minutes that a load balancer allows",
  },
  {
    when: ({ kind }, status) => kind === "url" && isGateway(status),
    cause:
      "a gateway answered for its server, which may not have started, have crashed, or be overloaded; what is no GET is not sent again, since a server may have seen it",
  },
  {
    when: (_, status) => isGateway(status),
    cause: "a server was there, and its connection broke: it may have crashed, or be overloaded; see the log",
  },
  { when: (_, status) => status >= 500, cause: "the server answered with an error of its own" },
  { when: ({ answer }) => answer !== undefined, cause: "the answer is not what was expected" },
  { when: () => true, cause: "the connection broke before the answer's end" },
];

/** Causes of a request that no server took. The first one that applies counts. */
const silenceCases: readonly Case[] = [
  {
    when: ({ attempts }) => attempts > 0,
    cause:
      "a server is there and took it, but did not come to the answer's end: it is slow or hangs (allow a longer timeout)",
  },
  { when: ({ kind }) => kind === "url", cause: "no server takes requests at this address, or it still starts" },
  { when: ({ pod }) => podProblem(pod) !== undefined, cause: ({ pod }) => podProblem(pod) ?? "" },
  {
    when: ({ kind }) => kind === "pod",
    cause:
      "nothing in the pod listens on this port: its server must listen on 0.0.0.0, at a port that `ports` exposes as http, or still starts; see the log",
  },
  {
    when: ({ kind }, status) => kind === "loadBalancer" && status === 502,
    cause: ({ diagnosis }) => {
      const { port = "80", healthPort = "80", healthPath = "/ping", exposed = [] } = diagnosis?.server ?? {};
      return (
        `a worker is there, but nothing answers at its port: the server must listen on 0.0.0.0:${port} (PORT), answer GET ${healthPath} with 200 ` +
        `on port ${healthPort} (PORT_HEALTH), and expose each but 80; exposed: ${exposed.join(", ") || "none"}`
      );
    },
  },
  {
    when: ({ diagnosis = {} }) => workersCause(diagnosis) !== undefined,
    cause: ({ diagnosis = {}, answer, kind }) =>
      `${workersCause(diagnosis)}${kind === "loadBalancer" && answer?.status === 204 ? ". Its health check answers 204, which means that it still starts" : ""}`,
  },
  { when: () => true, cause: "workers run, but none answers: they may be busy, or their server hangs" },
];

/** The likely cause as text. It is a guess from what the answer and the service show. */
function causeOf(failure: RequestFailure): string {
  const cases = failure.gaveUpAfterMs === undefined ? answerCases : silenceCases;
  const cause = cases.find(({ when }) => when(failure, failure.answer?.status ?? 0))?.cause ?? "";
  return typeof cause === "string" ? cause : cause(failure);
}

/** Why no server of a pod can answer at its port; undefined where one may still come up. */
export function podProblem({ status = "", ports, port }: PodDiagnosis = {}): string | undefined {
  if (["EXITED", "ERROR", "TERMINATED"].includes(status)) return `the pod does not run: its status is ${status}`;
  if (ports === undefined || ports.includes(`${port}/http`)) return undefined;
  return `the pod does not expose this port: add "${port}/http" to its ports, or give one of them as \`port\``;
}

/** Statuses of gateways that could not reach a server. */
export function isGateway(status: number): boolean {
  return status === 502 || status === 503 || status === 504 || (status >= 520 && status <= 530);
}
