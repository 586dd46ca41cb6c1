/** Runs cases in order, and prints of each a line of JSON: {"case": its name, "error": null, or what went wrong}. */
export async function runCases(cases) {
  for (const [name, run] of Object.entries(cases)) {
    const error = await run().then(
      () => null,
      (caught) => String(caught?.stack ?? JSON.stringify(caught)),
    );
    console.log(JSON.stringify({ case: name, error }));
  }
}
