/** Ends a run of jest with what it left out, which its own summary only counts. */
// biome-ignore lint/style/noDefaultExport: jest takes a reporter as one
export default class SkippedReporter {
  onRunComplete(_, { testResults }) {
    const skipped = testResults.flatMap((file) => file.testResults.filter(({ status }) => status === "pending"));
    if (skipped.length === 0) return;
    process.stderr.write(
      `\nSKIPPED: ${skipped.length} tests\n${skipped.map((each) => `  ${each.fullName}\n`).join("")}`,
    );
  }
}
