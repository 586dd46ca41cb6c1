/*
 * Recordings of the service, to check the emulator against it:
 *
 *   npm run tool tools/recording/main.ts record FOLDER -- [--max-usd 0] [--yes] [--markdown]
 *   npm run tool tools/recording/main.ts play [FOLDER…]
 *
 * `record` runs `verify` on the account of the environment, and keeps each call and its answer without the account's data.
 * `play` makes the same calls to the emulator and lists the differences; without a folder, of all recordings that were given.
 */
import { parseArgs } from "node:util";
import { verifyAccount } from "../../cli/verify/command";
import { messageOf } from "../../common/messageOf";
import { Recorder } from "./recorder";
import { type Conformance, conformanceOf, givenRecordings } from "./recordings";

const { version } = require("pulumi-computecloud/package.json") as { version: string };

async function main(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      "max-usd": { type: "string", default: "0.25" },
      yes: { type: "boolean" },
      markdown: { type: "boolean" },
    },
  });
  const [action, ...folders] = positionals;
  const [folder] = folders;
  if (action === "play") return playAll(folders.length > 0 ? folders : await givenRecordings());
  if (action !== "record" || folder === undefined) throw new Error("Say what to do: record FOLDER, or play FOLDER…");
  const { yes, markdown } = values;
  const flags = { ...(yes && { yes: true as const }), ...(markdown && { markdown: true as const }) };
  let recorder: Recorder | undefined;
  await verifyAccount({ maxUsd: Number(values["max-usd"]), ...flags }, async (own) => {
    recorder = await Recorder.open(folder, own);
    console.error(
      `Keeps each call and its answer in ${folder}, without keys, ids, names, addresses, times and amounts.`,
    );
    return recorder;
  });
  const count = await recorder?.write(version);
  if (count !== undefined) console.error(`Recorded ${count} calls in ${folder}. Read it before you give it away.`);
}

async function playAll(folders: readonly string[]): Promise<void> {
  if (folders.length === 0) console.log("Nobody has given a recording yet. Name the folder of one.");
  for (const folder of folders) {
    const conformance = await conformanceOf(folder);
    console.log([folder, ...linesOf(conformance)].join("\n  "));
    if (conformance.differences.length + conformance.gone.length > 0) process.exitCode = 1;
  }
}

const linesOf = ({ compared, differences, unplayable, gone }: Conformance): string[] => [
  `${compared} calls compared, ${differences.length} differences.`,
  ...differences,
  ...unplayable.map((call) => `not made, for the emulator gave no id: ${call}`),
  ...gone.map((difference) => `known, but not found any more: ${difference}`),
];

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 2;
});
