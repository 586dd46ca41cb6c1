import { createHmac, timingSafeEqual } from "node:crypto";
import { parseJson } from "../../common/json";
import { UsageError } from "../errors";
import type { StandardSchema } from "./standardSchema";
import type { CompletedJob, OtherJob } from "./types";

/** What a webhook's body has besides the job. */
export interface WebhookFacts {
  /** The job's input; absent where the service leaves it out. */
  input?: unknown;
  /** The address that was called. */
  webhook?: string | undefined;
}

/** A job in a webhook's body: it has ended. */
export type WebhookJob<Output = unknown> = (CompletedJob<Output> | OtherJob) & WebhookFacts;

/**
 * Reads the body that the service posts to a job's webhook: the job as `status` shows it, its input and the address. The
 * service signs nothing. Check the address with `isSignedWebhook`, and where it matters read the job with `queue.status(id)`.
 *
 * @param body the body's text, or its parsed JSON
 * @param schema for the output of a completed job
 * @throws ContractError when it is not a job, JobOutputError when the schema refuses the output
 * @example
 * const job = await readWebhook(body);
 * if (job.status === "COMPLETED") console.log(job.id, job.output);
 */
export async function readWebhook<Output = unknown>(
  body: unknown,
  schema?: StandardSchema<Output>,
): Promise<WebhookJob<Output>> {
  // Programs that read no webhook load none of this.
  const { webhookBody } = require("./replies") as typeof import("./replies");
  const { typedOutput } = require("./standardSchema") as typeof import("./standardSchema");
  const { conform } = require("../values/conform") as typeof import("../values/conform");
  const json = typeof body === "string" || Buffer.isBuffer(body) ? parseJson(body.toString()) : body;
  const { status, ...job } = conform(webhookBody, json, { kind: "Webhook" });
  if (status !== "COMPLETED") return { ...job, status };
  return { ...job, status, output: await typedOutput(job.id, job.output, schema) };
}

/** The query parameter with the signature. */
const SIGNATURE = "signature";

/**
 * The address of a webhook with a signature in its query, which can't be made without the secret. HMAC-SHA256 over path and
 * query.
 *
 * @throws UsageError when the secret is empty, TypeError when the address is not a URL
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
 * Whether an address, or the path and query of a request, was signed by `signedWebhook` with this secret. Host and scheme
 * are ignored, because proxies change them.
 *
 * @throws UsageError when the secret is empty: anybody could have signed
 * @example
 * if (!isSignedWebhook(request.url ?? "", secret)) return response.writeHead(403).end();
 */
export function isSignedWebhook(address: string, secret: string): boolean {
  if (!URL.canParse(address, "http://localhost")) return false;
  const url = new URL(address, "http://localhost");
  const received = Buffer.from(url.searchParams.get(SIGNATURE) ?? "");
  url.searchParams.delete(SIGNATURE);
  const expected = Buffer.from(signatureOf(url, secret));
  return received.length === expected.length && timingSafeEqual(received, expected);
}

function signatureOf({ pathname, searchParams }: URL, secret: string): string {
  // mutant webhooks-signed-with-nothing: false
  if (secret === "") throw new UsageError("The secret of signed webhooks is empty: give a long random text.");
  return createHmac("sha256", secret).update(`${pathname}?${searchParams}`).digest("hex");
}
