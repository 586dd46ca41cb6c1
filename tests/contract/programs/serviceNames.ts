import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { forward } from "../../../emulator/balancer/forward";
import { run } from "../../../tools/run/process";

/** An emulator's addresses. */
interface Addresses {
  readonly baseUrl: string;
  readonly serverlessUrl: string;
}

/** Host names of the service, and where the emulator answers for them. */
const HOSTS: readonly [name: RegExp, address: (emulator: Addresses, label: string) => string][] = [
  [/^api\.runpod\.io$/, ({ baseUrl }) => baseUrl],
  [/^api\.runpod\.ai$/, ({ serverlessUrl }) => serverlessUrl],
  [/^([\w-]+)\.api\.runpod\.ai$/, ({ serverlessUrl }, id) => `${serverlessUrl}/load-balancer/${id}`],
  [/^([\w-]+)\.proxy\.runpod\.net$/, ({ serverlessUrl }, port) => `${serverlessUrl}/pod-proxy/${port}`],
];
const CERTIFIED = ["api.runpod.io", "api.runpod.ai", "*.api.runpod.ai", "*.proxy.runpod.net"];

function addressOf(host: string, emulator: Addresses): string | undefined {
  for (const [name, address] of HOSTS) {
    const match = name.exec(host);
    if (match !== null) return address(emulator, match[1] ?? "");
  }
  return undefined;
}

/**
 * Answers for the service's host names, with a certificate of its own, as the proxy of the programs' environment.
 *
 * @returns the environment in which programs reach the emulator under these names, and nothing else
 */
export async function startServiceNames(emulator: Addresses, folder: string) {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const names = `subjectAltName=${CERTIFIED.map((name) => `DNS:${name}`).join()}`;
  const request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=emulator -addext";
  const place = ["-keyout", key, "-out", cert];
  const { exitCode, stderr } = await run("openssl", [...request.split(" "), names, ...place]);
  if (exitCode !== 0) throw new Error(`openssl made no certificate: ${stderr}`);
  const service = createTlsServer({ key: await readFile(key), cert: await readFile(cert) }, (incoming, response) => {
    void answer(emulator, incoming, response).catch(() => response.destroy());
  });
  const proxy = createServer({ keepAliveTimeout: 0 }, (_, response) => response.writeHead(502).end());
  proxy.on("connect", ({ url = "" }: IncomingMessage, socket) => {
    const host = url.replace(/:\d+$/, "");
    if (addressOf(host, emulator) === undefined) return socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    const tunnel = connect(portOf(service), "127.0.0.1");
    return void pipeline(tunnel, socket, tunnel).catch(() => {});
  });
  for (const server of [service, proxy])
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    env: {
      HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
      NO_PROXY: "127.0.0.1,localhost",
      SSL_CERT_FILE: cert,
      REQUESTS_CA_BUNDLE: cert,
      NODE_EXTRA_CA_CERTS: cert,
      NODE_USE_ENV_PROXY: "1",
    },
    async [Symbol.asyncDispose]() {
      for (const server of [service, proxy]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

async function answer(emulator: Addresses, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", url = "/", headers } = incoming;
  const address = addressOf((headers.host ?? "").replace(/:\d+$/, ""), emulator) ?? "";
  const { signal } = new AbortController();
  const sent = await forward(address, { method, path: url, headers, body: incoming, signal });
  response.writeHead(sent.status, sent.headers);
  await pipeline(sent.body ?? [], response);
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
