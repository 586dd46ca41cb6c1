import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { conform, parseJson } from "../values/json";
import { jobReply } from "./replies";
import { type StandardSchema, typedOutput } from "./standardSchema";
import type { CompletedJob, OtherJob } from "./types";

/** What a webhook tells beside the job. */
export interface WebhookFacts {
  /** What the job was given; absent where the service does not say. */
  input?: unknown;
  /** The address that was called. */
  webhook?: string | undefined;
}

/** A job as its webhook tells of it: it has ended. */
export type WebhookJob<Output = unknown> = (CompletedJob<Output> | OtherJob) & WebhookFacts;

const payload = jobReply().extend({
  id: z.string().min(1),
  input: z.unknown().optional(),
  webhook: z.string().optional().catch(undefined),
});

/**
 * Reads what the service posts to a job's webhook: the job as `status` shows it, its input and the address. The service
 * signs nothing, so check the address with `isSignedWebhook`, and where it matters ask `queue.status(id)`.
 *
 * @param body its text, or what was parsed of it
 * @param schema of the output of a job that has completed
 * @throws ContractError when it is not a job, JobOutputError when the schema refuses the output
 * @example
 * const job = await readWebhook(body);
 * if (job.status === "COMPLETED") console.log(job.id, job.output);
 */
export async function readWebhook<Output = unknown>(
  body: unknown,
  schema?: StandardSchema<Output>,
): Promise<WebhookJob<Output>> {
  const json = typeof body === "string" || Buffer.isBuffer(body) ? parseJson(body.toString()) : body;
  const { status, ...job } = conform(payload, json, { kind: "Webhook" });
  if (status !== "COMPLETED") return { ...job, status };
  return { ...job, status, output: await typedOutput(job.id, job.output, schema) };
}

/** The name of the query's part that holds the signature. */
const SIGNATURE = "signature";

/**
 * The address of a webhook, with a signature that only who knows the secret can make.
 *
 * @example
 * await queue.run({ input, webhook: signedWebhook(`https://example.com/done?picture=${n}`, secret) });
 */
export function signedWebhook(address: string, secret: string): string {
  const url = new URL(address);
  url.searchParams.delete(SIGNATURE);
  url.searchParams.set(SIGNATURE, signatureOf(url, secret));
  return url.href;
}

/**
 * Whether an address, or the path and query of a request, is one that `signedWebhook` made with this secret. Host and
 * scheme don't count: proxies change them.
 *
 * @example
 * if (!isSignedWebhook(request.url ?? "", secret)) return response.writeHead(403).end();
 */
export function isSignedWebhook(address: string, secret: string): boolean {
  if (!URL.canParse(address, "http://localhost")) return false;
  const url = new URL(address, "http://localhost");
  const given = Buffer.from(url.searchParams.get(SIGNATURE) ?? "");
  url.searchParams.delete(SIGNATURE);
  const expected = Buffer.from(signatureOf(url, secret));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function signatureOf({ pathname, searchParams }: URL, secret: string): string {
  return createHmac("sha256", secret).update(`${pathname}?${searchParams}`).digest("hex");
}
