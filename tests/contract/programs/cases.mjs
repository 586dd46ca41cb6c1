/**
 * Runs cases in order, and prints of each a line of JSON: its name, null or what went wrong, and what the emulator lacks for it.
 *
 * @param absent by case
 */
export async function runCases(cases, absent = {}) {
  for (const [name, run] of Object.entries(cases)) {
    const error = await run().then(
      () => null,
      (caught) => String(caught?.stack ?? JSON.stringify(caught)),
    );
    console.log(JSON.stringify({ name, error, absent: absent[name] ?? null }));
  }
}
