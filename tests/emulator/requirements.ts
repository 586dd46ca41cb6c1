/** Only the emulator needs it: an install may leave it out. */
const SERVER = "fastify";

try {
  require.resolve(SERVER);
} catch (cause) {
  throw new Error(`The emulator needs ${SERVER}, which this install left out: npm install --save-dev ${SERVER}`, {
    cause,
  });
}
