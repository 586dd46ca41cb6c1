import { relative } from "node:path";

/** Ends a run of jest with what it left out, which its own summary only counts, and with where its time went. */
// biome-ignore lint/style/noDefaultExport: jest takes a reporter as one
export default class Summary {
  #root;

  constructor({ rootDir }) {
    this.#root = rootDir;
  }

  onRunComplete(_, { testResults }) {
    const skipped = testResults.flatMap((file) => file.testResults.filter(({ status }) => status === "pending"));
    if (skipped.length > 0)
      say(
        `SKIPPED: ${skipped.length} tests`,
        skipped.map(({ fullName }) => fullName),
      );
    const ran = testResults.filter(({ perfStats }) => perfStats.runtime > 0);
    if (ran.length <= SLOWEST) return;
    const slowest = ran.sort((a, b) => b.perfStats.runtime - a.perfStats.runtime).slice(0, SLOWEST);
    say(
      `The slowest ${SLOWEST} of ${ran.length} files, in seconds:`,
      slowest.map(
        ({ perfStats, testFilePath }) =>
          `${(perfStats.runtime / 1000).toFixed(1).padStart(6)}  ${relative(this.#root, testFilePath)}`,
      ),
    );
  }
}

const SLOWEST = 10;

function say(title, lines) {
  process.stderr.write(`\n${title}\n${lines.map((line) => `  ${line}\n`).join("")}`);
}
