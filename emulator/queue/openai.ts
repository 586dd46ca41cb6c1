import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { DAY_MS } from "../clock";
import { jsonOrText } from "../json";
import type { OpenAiInput } from "../openai/job";
import type { Service } from "../service";
import type { EndpointRecord, JobRecord } from "../store/records";
import { submit } from "./jobs";
import { parseSubmission } from "./requests";
import { drainStream } from "./stream";
import { isFinal } from "./transitions";

/** A call that is answered once something has happened to a job. */
export interface HeldCall {
  readonly service: Service;
  readonly endpoint: EndpointRecord;
  readonly body: unknown;
  readonly reply: FastifyReply;
  hasHungUp(): boolean;
  /** Waits until `isOver` accepts the job, the caller has hung up or `ms` are over. Returns the job at that time. */
  hold(jobId: string, ms: number, isOver: (job: JobRecord) => boolean): Promise<JobRecord>;
}

/** Answers a request to `/openai/...` by a job, whose handler gets an `OpenAiInput`. @param path what follows `/openai/` */
export async function answerByJob(call: HeldCall, path: string): Promise<FastifyReply> {
  const { service, endpoint, body, reply, hold } = call;
  const input: OpenAiInput = { openai_route: `/${path}`, openai_input: body };
  const { id } = submit(service, endpoint, parseSubmission({ input }));
  const isStream = typeof body === "object" && body !== null && "stream" in body && body.stream === true;
  const hasChunks = () => service.store.chunks.count("job", id) > 0;
  const job = await hold(id, DAY_MS, (held) => isFinal(held) || (isStream && hasChunks()));
  if (isStream && hasChunks()) return reply.type("text/event-stream").send(Readable.from(events(call, id, hasChunks)));
  const { status, output, error } = job;
  if (status === "COMPLETED") return reply.send(output ?? drainStream(service, id).at(-1)?.output ?? null);
  const refusal = refusalOf(error ?? `job is ${status}`);
  return reply.code(refusal.code).send({ error: refusal });
}

/** The last events of OpenAI's streams and of Anthropic's. */
const ENDS = ["data: [DONE]", "event: response.completed", "event: message_stop"];

/** What the handler yields: texts unchanged, objects as events. The connection breaks when the job fails. */
async function* events({ service, hold, hasHungUp }: HeldCall, id: string, hasChunks: () => boolean) {
  let isDone = false;
  for (;;) {
    const { status, error } = await hold(id, DAY_MS, (held) => isFinal(held) || hasChunks());
    for (const { output } of drainStream(service, id)) {
      const text = typeof output === "string" ? output : `data: ${JSON.stringify(output)}\n\n`;
      isDone ||= ENDS.some((end) => text.includes(end));
      yield text;
    }
    if (status === "COMPLETED" || hasHungUp()) break;
    if (status !== "IN_PROGRESS" && status !== "IN_QUEUE") throw new Error(error ?? `job is ${status}`);
  }
  if (!isDone) yield "data: [DONE]\n\n";
}

const workerError = z.looseObject({ code: z.int().min(400).max(599) });

/** A job's error as OpenAI's API shows it. The worker's errors name their status as `code`. */
const refusalOf = (error: string) => workerError.safeParse(jsonOrText(error)).data ?? { message: error, code: 500 };
