import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a stack's settings say of its secrets: their key is in a Vault, which has encrypted it. */
export const IN_VAULT = {
  secretsprovider: "hashivault://stack",
  encryptedkey: Buffer.from("vault:v1:key").toString("base64"),
};

let started: Promise<Readonly<Record<string, string>>> | undefined;

/**
 * Stands in for a Vault, which the engine asks for the key of a stack's secrets, as long as this process lives. The usual way,
 * to derive the key from a passphrase, is a sixth of a command's CPU time.
 *
 * @returns variables that lead the engine there
 */
export function vault(): Promise<Readonly<Record<string, string>>> {
  started ??= start();
  return started;
}

async function start(): Promise<Readonly<Record<string, string>>> {
  const plaintext = Buffer.alloc(32, "key").toString("base64");
  const server = createServer({ keepAliveTimeout: 0 }, (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data: { plaintext } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return { VAULT_SERVER_URL: `http://127.0.0.1:${port}`, VAULT_SERVER_TOKEN: "token" };
}
