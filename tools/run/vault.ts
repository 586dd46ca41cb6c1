import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a stack's settings say of its secrets: their key is in a Vault, which has encrypted it. */
export const IN_VAULT = {
  secretsprovider: "hashivault://stack",
  encryptedkey: Buffer.from("vault:v1:key").toString("base64"),
};

export interface Vault extends AsyncDisposable {
  /** Variables that lead the engine there. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Stands in for a Vault, which the engine asks for the key of a stack's secrets. The usual way, to derive the key from a
 * passphrase, is a sixth of a command's CPU time.
 */
export async function startVault(): Promise<Vault> {
  const plaintext = Buffer.alloc(32, "key").toString("base64");
  const server = createServer({ keepAliveTimeout: 0 }, (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data: { plaintext } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Nobody waits for a stack that is only forgotten.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    env: { VAULT_SERVER_URL: `http://127.0.0.1:${port}`, VAULT_SERVER_TOKEN: "token" },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
