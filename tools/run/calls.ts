import type { EmulatorAddresses } from "./environment";

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
}

/** Where an emulator answers. */
export type Addresses = EmulatorAddresses & { readonly controlUrl: string };

export type Calls = ReturnType<typeof callsTo>;

/** The three interfaces and the control address of an emulator, called as its users call them. */
export function callsTo(emulator: Addresses) {
  const bearer = () => ({ authorization: `Bearer ${emulator.apiKey}` });
  return {
    rest: (method: string, path: string, body?: unknown, headers: Record<string, string> = bearer()) =>
      call(method, emulator.baseUrl + path, body, headers),
    graphql: (query: string, variables?: unknown, headers: Record<string, string> = bearer()) =>
      call("POST", emulator.graphqlUrl, { query, variables }, headers),
    queue: (method: string, path: string, body?: unknown) =>
      call(method, `${emulator.serverlessUrl}/v2/${path}`, body, { authorization: emulator.apiKey }),
    control: (method: string, path: string, body?: unknown) => call(method, emulator.controlUrl + path, body, {}),
    advance: (advanceMs: number) => call("POST", `${emulator.controlUrl}/clock`, { advanceMs }, {}),
  };
}

async function call(
  method: string,
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}
