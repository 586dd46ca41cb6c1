import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator";

/** What a test sees of an answer. */
export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** A JSON body, looked into by name. */
export interface Json {
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds, whatever it is
  [name: string]: any;
}

/** An emulated account and the ways to talk to it. */
export class Account implements AsyncDisposable {
  private constructor(readonly emulator: Emulator) {}

  static async open(options: EmulatorOptions = {}): Promise<Account> {
    return new Account(await startEmulator(options));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.emulator.stop();
  }

  rest(method: string, path: string, body?: unknown, key: string = this.emulator.apiKey): Promise<Answer<Json>> {
    return send(method, this.emulator.baseUrl + path, body, `Bearer ${key}`);
  }

  /** A create that must succeed. */
  async create(path: string, body: unknown): Promise<Json> {
    const answer = await this.rest("POST", path, body);
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  graphql(query: string, variables?: unknown): Promise<Answer<Json>> {
    return send("POST", `${this.emulator.graphqlUrl}?api_key=${this.emulator.apiKey}`, { query, variables });
  }

  /** The job plane, which takes the key as it is. */
  queue(method: string, path: string, body?: unknown): Promise<Answer<Json>> {
    return send(method, this.emulator.serverlessUrl + path, body, this.emulator.apiKey);
  }

  control(method: string, path: string, body?: unknown): Promise<Answer<Json>> {
    return send(method, this.emulator.controlUrl + path, body);
  }

  async advance(ms: number): Promise<void> {
    await this.control("POST", "/clock", { advanceMs: ms });
  }
}

async function send(method: string, url: string, body?: unknown, authorization?: string): Promise<Answer<Json>> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
}
