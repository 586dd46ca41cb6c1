import { type Client, isRefusal } from "../../../client";
import { shares, shareTable, sumOf, workerQuota } from "../../cost/quota";
import type { Context } from "../../lifecycle/definition";

const PATIENCE_MS = 10_000;
/** How many refusals a run checks. The first ones may have another reason than the quota. */
const MOST_LOOKS = 3;
const looks = new WeakMap<Client, number>();
const told = new WeakSet<Client>();

/**
 * Warns who uses the account's quota of workers, once in a run, after a refusal that the quota explains. The refusal has
 * no code of its own. So the sum of the maxima decides, and the real reason may be another.
 *
 * @param id of the endpoint that was to be updated; undefined for a create
 */
export async function warnAboutQuota(
  { client, log, signal }: Context,
  error: unknown,
  workersMax: number,
  id?: string,
): Promise<void> {
  if (!isRefusal(error)) return;
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
        `${shareTable(all, quota)}\n\`npx pulumi-computecloud plan\` shows this before the first call.`,
    );
  } catch {
    // The refusal is reported in any case.
  }
}
