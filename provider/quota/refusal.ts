import { BadRequestError, type Client, GraphqlError } from "../client";
import type { Context } from "../lifecycle/definition";
import { shares, shareTable, sumOf, workerQuota } from "./quota";

const PATIENCE_MS = 10_000;
/** How often a run asks whether it is the quota: refusals for another reason may come first. */
const MOST_LOOKS = 3;
const looks = new WeakMap<Client, number>();
const told = new WeakSet<Client>();

/**
 * Tells, after the first refusal of a run that the account's quota of workers explains, who has them. The service's refusal
 * has no code of its own: what would be the sum decides.
 *
 * @param id of an endpoint that exists
 */
export async function tellOfQuota(
  { client, log, signal }: Context,
  error: unknown,
  workersMax: number,
  id?: string,
): Promise<void> {
  if (!(error instanceof BadRequestError || error instanceof GraphqlError)) return;
  const looked = looks.get(client) ?? 0;
  looks.set(client, looked + 1);
  if (looked >= MOST_LOOKS) return;
  try {
    const options = { signal, timeoutMs: PATIENCE_MS };
    const [quota, all] = await Promise.all([workerQuota(client, options), shares(client, options)]);
    const others = sumOf(all.filter((each) => each.id !== id));
    const { limit } = quota;
    if (limit === undefined || others + workersMax <= limit || told.has(client)) return;
    told.add(client);
    log.warn(
      `The account's endpoints may have ${limit} workers together. This one asks for ${workersMax}, and the others have ` +
        `${others} already, so ${Math.max(0, limit - others)} are left for it. Lower its maximum, or that of one of these:\n` +
        `${shareTable(all, quota)}\n\`npx pulumi-computecloud plan\` tells it before the first call.`,
    );
  } catch {
    // The refusal itself says enough.
  }
}
