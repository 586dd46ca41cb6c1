import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type ClientUnaryCall, credentials, type ServiceError } from "@grpc/grpc-js";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  type CheckResponse,
  ConfigureRequest,
  CreateRequest,
  InvokeRequest,
  type InvokeResponse,
  ListRequest,
  type ListResponse,
  ProviderHandshakeRequest,
  type ProviderHandshakeResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { checkout, type EmulatorAddresses, inheritedEnv } from "../../tools/run/environment";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export type Values = Record<string, JavaScriptValue>;

/** A secret as the engine sends it. */
export const secret = (value: JavaScriptValue) => ({ [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", value });

/** An output as the engine sends it; one without a value is not known yet. */
export const output = (of: { value?: JavaScriptValue; secret?: boolean }) => ({
  [SIGNATURE]: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
  ...of,
});

/** The provider's settings for an emulator. */
export const settingsOf = ({ apiKey, baseUrl, serverlessUrl, graphqlUrl }: EmulatorAddresses) => ({
  apiKey: secret(apiKey),
  baseUrl,
  serverlessUrl,
  graphqlUrl,
});

export const urnOf = (kind: string) => `urn:pulumi:dev::shop::computecloud:index:${kind}::made`;

/** The plugin as the engine starts it, and the engine's side of the conversation. */
export class Plugin implements AsyncDisposable {
  private constructor(
    readonly process: ChildProcess,
    readonly client: ResourceProviderClient,
    readonly port: number,
    /** All that was written to stdout. */
    readonly stdout: string[],
  ) {}

  static async start(): Promise<Plugin> {
    const file = join(checkout, "provider/bin", "pulumi-resource-computecloud");
    const { PULUMI_HOME } = process.env;
    const env = { ...inheritedEnv(), ...(PULUMI_HOME !== undefined && { PULUMI_HOME }) };
    const started = spawn(file, [], { stdio: ["ignore", "pipe", "inherit"], env });
    const stdout: string[] = [];
    const port = await new Promise<string>((resolve, reject) => {
      started.once("exit", (code) => reject(new Error(`the plugin ended with exit code ${code}`)));
      started.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout.push(text);
        if (text.includes("\n")) resolve(stdout.join("").trim());
      });
    });
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    return new Plugin(started, client, Number(port), stdout);
  }

  static async configured(values: Values): Promise<Plugin> {
    const plugin = await Plugin.start();
    await plugin.configure(values);
    return plugin;
  }

  handshake() {
    return unary<ProviderHandshakeResponse>((done) => this.client.handshake(new ProviderHandshakeRequest(), done));
  }

  info() {
    return unary<PluginInfo>((done) => this.client.getPluginInfo(new Empty(), done));
  }

  /** @param urn the provider's; the engine's own are called default */
  async checkConfig(values: Values, urn = "") {
    const request = new CheckRequest().setNews(Struct.fromJavaScript(values)).setUrn(urn);
    return (await unary<CheckResponse>((done) => this.client.checkConfig(request, done))).toObject().failuresList;
  }

  async configure(values: Values, urn = ""): Promise<void> {
    const request = new ConfigureRequest().setArgs(Struct.fromJavaScript(values)).setUrn(urn);
    await unary((done) => this.client.configure(request, done));
  }

  /** Makes a resource, of which the engine has checked the arguments. */
  async create(kind: string, values: Values): Promise<void> {
    const request = new CreateRequest().setUrn(urnOf(kind));
    await unary((done) => this.client.create(request.setProperties(Struct.fromJavaScript(values)), done));
  }

  /** Names and ids of all resources of a kind. */
  async list(kind: string, limit = 0): Promise<ListResponse.Result.AsObject[]> {
    const call = this.client.list(new ListRequest().setToken(`computecloud:index:${kind}`).setLimit(limit));
    const responses: ListResponse[] = await call.toArray();
    return responses.map((each) => each.toObject().result ?? { id: "", name: "" });
  }

  async cancel(): Promise<void> {
    await unary((done) => this.client.cancel(new Empty(), done));
  }

  /** What the function answers, as it stands on the wire. */
  async invoke(name: string, args: Values = {}) {
    const { answer } = this.call(name, args);
    const response = await answer;
    const failures = response.toObject().failuresList;
    return { failures, values: response.getReturn()?.toJavaScript() ?? {} };
  }

  /** A call that can be dropped while it runs. */
  call(name: string, args: Values = {}): { call: ClientUnaryCall; answer: Promise<InvokeResponse> } {
    const request = new InvokeRequest().setTok(`computecloud:index:${name}`).setArgs(Struct.fromJavaScript(args));
    const { promise: answer, resolve, reject } = Promise.withResolvers<InvokeResponse>();
    const call = this.client.invoke(request, (error, response) => (error === null ? resolve(response) : reject(error)));
    return { call, answer };
  }

  async stop(): Promise<void> {
    this.client.close();
    if (this.process.exitCode !== null) return;
    const ended = once(this.process, "exit");
    this.process.kill("SIGINT");
    await ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

function unary<Response>(
  send: (done: (error: ServiceError | null, response: Response) => void) => unknown,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    send((error, response) => (error === null ? resolve(response) : reject(error)));
  });
}
