/*
 * Submits jobs whose results come by webhook, and receives them: `PUBLIC_URL` is where the service reaches this program.
 *
 *   ENDPOINT_ID=4kqwe7f0 PUBLIC_URL=https://example.com WEBHOOK_SECRET=… npx ts-node index.ts
 */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { createQueue, isSignedWebhook, readWebhook, signedWebhook } from "pulumi-computecloud/client";

const {
  ENDPOINT_ID: endpointId = "",
  PUBLIC_URL: publicUrl = "",
  WEBHOOK_SECRET: secret = "",
  PORT = "8080",
} = process.env;
const prompts = ["a lighthouse", "a forest"];
/** Jobs that were told of: the service posts again what was not answered with 2xx, or whose answer was lost. */
const seen = new Set<string>();

async function main(): Promise<void> {
  if (secret === "") throw new Error("Set WEBHOOK_SECRET to a long random text.");
  const queue = createQueue({ endpointId });
  const server = createServer(async (request, response) => {
    // Answered at once: what takes long would be taken for lost.
    response.writeHead(await statusOf(request)).end();
    if (seen.size === prompts.length) server.close();
  });
  server.listen(Number(PORT));
  await once(server, "listening");

  for (const [picture, prompt] of prompts.entries()) {
    const webhook = signedWebhook(`${publicUrl}/done?picture=${picture}`, secret);
    await queue.run({ input: { prompt }, webhook });
  }
  await once(server, "close");
  await queue.close();

  /** Nothing is believed but what the queue itself says: anybody may post who has seen the address. */
  async function statusOf(request: IncomingMessage): Promise<number> {
    if (request.method !== "POST" || !isSignedWebhook(request.url ?? "", secret)) return 403;
    try {
      const { id } = await readWebhook(await text(request));
      if (seen.has(id)) return 200;
      const { status, output } = await queue.status(id);
      seen.add(id);
      console.log(`${id}: ${status} ${JSON.stringify(output)}`);
      return 200;
    } catch (error) {
      console.error(String(error));
      return 500; // the service posts it again
    }
  }
}

void main();
