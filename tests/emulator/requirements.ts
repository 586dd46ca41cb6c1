/** Only the emulator needs them: an install may leave them out. */
const packages = ["fastify", "graphql"];

for (const name of packages) {
  try {
    require.resolve(name);
  } catch (cause) {
    throw new Error(
      `The emulator needs ${packages.join(" and ")}, which this install left out: npm install --save-dev ${packages.join(" ")}`,
      { cause },
    );
  }
}
