/*
 * Plays recordings of the service against the emulator, and lists what differs: `npm run conformance -- FOLDER…`. Without
 * a folder all that were given.
 */
import { type Conformance, conformanceOf, givenRecordings } from "./recordings";

async function main(folders: readonly string[]): Promise<void> {
  const played = folders.length > 0 ? folders : await givenRecordings();
  if (played.length === 0)
    console.log("Nobody has given a recording yet. Name the folder of one: npm run conformance -- FOLDER");
  for (const folder of played) {
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
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
