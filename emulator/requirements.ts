/** An optional dependency, because only the emulator needs it. */
const SERVER = "fastify";

try {
  require.resolve(SERVER);
} catch (cause) {
  throw new Error(`The emulator needs ${SERVER}, which this install left out: npm install --save-dev ${SERVER}`, {
    cause,
  });
}
