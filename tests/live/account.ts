import { prefixOf } from "../../cli/verify/bench";
import { kinds, listed, nameOf, trialKinds } from "../../cli/verify/kinds";
import { Ledger } from "../../cli/verify/ledger";
import { field } from "../../cli/verify/verdict";
import { accountOf, cleanRun } from "../../cli/verify/verify";
import { Wire } from "../../cli/verify/wire";
import { createClient, fromEnvironment, SettingsReader } from "../../client";
import { systemClock } from "../../client/calls/cancellation";
import { type Emulator, startEmulator } from "../../emulator";
import { addressVariables } from "../../tools/run/environment";

const isLive = process.env.TEST_LIVE === "true";
/** What the acceptance's own worker does on the account. */
const handlers = { "python:3.12-slim": ({ bytes }: { bytes: number }) => "x".repeat(bytes) };

export type Account = Awaited<ReturnType<typeof openAccount>>;

/**
 * An account that the acceptance works on: that of the environment for `TEST_LIVE=true`, else an emulator's. Notes first what is going to be made, so that `pulumi-computecloud verify --clean` finds it after a kill.
 *
 * @param folder keeps the notes of a run on the emulator
 */
export async function openAccount(word: string, folder: string) {
  const emulator: Emulator | undefined = isLive ? undefined : await startEmulator({ handlers });
  const connection = new SettingsReader(fromEnvironment, emulator && addressVariables(emulator)).connection();
  const wire = new Wire(connection, systemClock);
  const ledger = isLive ? new Ledger() : new Ledger(folder);
  const account = await accountOf(wire);
  const entry = ledger.begin(word, { service: connection.baseUrl, ...(account !== undefined && { account }) });
  for (const kind of trialKinds) {
    const create = { kind, name: kinds[kind].list, since: 0 };
    entry.creating(create);
    entry.answered(create, true);
  }
  const client = createClient(connection);
  const centers = await client.catalog.dataCenters();
  await client.close();
  const prefix = prefixOf(word);
  return {
    /** What the names of all that is made begin with. */
    prefix,
    addresses: connection,
    /** One that has network volumes. */
    dataCenter: centers.find(({ networkVolumeTypes = [] }) => networkVolumeTypes.length > 0)?.id ?? "",
    /** Ids and names of all that has not our prefix; what runs changes by itself. */
    async others() {
      const lists = await Promise.all(
        trialKinds.map(async (kind) => {
          const names = (await listed(wire, kind)).map((item) => [field(item, "id"), nameOf(kind, item)]);
          return names.filter(([, name]) => !String(name).startsWith(prefix)).map((each) => each.join(" "));
        }),
      );
      return lists.flat().toSorted();
    },
    /** Deletes what is left of ours. @returns how many things that were */
    async clean() {
      const { deleted, left } = await cleanRun({ wire, ledger }, word, entry.now);
      if (left.length > 0) throw new Error(`Not deleted: ${left.join("; ")}`);
      return deleted;
    },
    async [Symbol.asyncDispose]() {
      await wire.close();
      await emulator?.stop();
    },
  };
}
