import { isDeepStrictEqual } from "node:util";
import { type handleUnaryCall, Metadata, Server, type ServerUnaryCall, type ServiceError, status } from "@grpc/grpc-js";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { AuthenticationError, NotFoundError, PermissionError, RateLimitError } from "../../../client";
import { once } from "../../../common/cached";
import { messageOf } from "../../../common/messageOf";
import { redactKept } from "../../../common/redact";
import { nameOfUrn } from "../../../common/urn";
import type { CheckFailure } from "../../lifecycle/definition";
import type { Properties } from "../../lifecycle/fields/values";
import { AccountNotAllowedError, OtherAccountError } from "../account";
import { asData } from "../asData";
import { cancel, cancellation, flushMessages } from "../cancellation";
import { ConfigError, readSettings, refuseMisspelt } from "../config";
import { connect } from "../connect";
import type { EngineContext } from "../hostedOperations";
import { reportLeftovers } from "../leftovers";
import { secretTexts } from "../secrecy";
import { engineText, hiding, urnIn } from "../text";
import { Invocations, UnknownFunctionError } from "./invocations";
import * as messages from "./messages";
import type { NativeKind, ResourceRequest } from "./resources";
import { allSecret, receive, send, sendUnknown } from "./values";

const facts = require("pulumi-computecloud/package.json") as { version: string };

/** The engine's messages are as large as the states in them; gRPC's own limit is 4 MB. */
const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;

type Call = ServerUnaryCall<unknown, unknown>;

/** The plugin's gRPC server, not yet bound to a port. */
export function pluginServer(): Server {
  const server = new Server({ "grpc.max_receive_message_length": MAX_MESSAGE_BYTES });
  server.addService(messages.ResourceProviderService, methodsOf(new Plugin()));
  return server;
}

/** For a provider's other methods gRPC answers that they are not implemented. */
function methodsOf(plugin: Plugin) {
  return {
    handshake: method(() => {
      const response = new messages.ProviderHandshakeResponse();
      return response
        .setAcceptSecrets(true)
        .setAcceptOutputs(true)
        .setAcceptsOutputsInInvoke(true)
        .setSupportsAutonamingConfiguration(true);
    }),
    attach: method((request) => {
      plugin.engine = request.getAddress();
      return new Empty();
    }),
    getPluginInfo: method(() => new messages.PluginInfo().setVersion(facts.version)),
    getSchema: method((request) => {
      if (request.getVersion() !== 0) throw new RangeError(`there is no schema version ${request.getVersion()}`);
      const schema: unknown = require("pulumi-computecloud/schema.json");
      return new messages.GetSchemaResponse().setSchema(JSON.stringify(schema));
    }),

    checkConfig: method((request) => plugin.checkConfig(request)),
    diffConfig: method((request) => plugin.diffConfig(request)),
    configure: method((request) => plugin.configure(request)),
    invoke: method((request, call) => plugin.invoke(request, call)),

    check: method((request) => plugin.kindOf(request).check(request)),
    diff: method((request) => plugin.kindOf(request).diff(request)),
    create: method((request) => plugin.writing(plugin.kindOf(request).create(request), request.getPreview())),
    read: method((request) => plugin.kindOf(request).read(request)),
    update: method((request) => plugin.writing(plugin.kindOf(request).update(request), request.getPreview())),
    delete: method(async (request) => {
      await plugin.writing(plugin.kindOf(request).delete(request));
      return new Empty();
    }),
    list: async (call) => {
      try {
        const { request } = call;
        for (const each of await plugin.resources().kind(request.getToken()).list(request.getLimit())) call.write(each);
        call.end();
      } catch (error) {
        call.emit("error", answerTo(error, cancellation.aborted));
      }
    },
    construct: method((request, call) => plugin.writing(plugin.components().construct(request, endOf(call)))),

    cancel: method(async () => {
      cancel();
      await flushMessages();
      return new Empty();
    }),
  } satisfies Partial<messages.IResourceProviderServer>;
}

/** A method in gRPC's form. No message of the operation quotes a secret in the request's values. */
function method<Request extends object, Response>(
  handle: (request: Request, call: ServerUnaryCall<Request, Response>) => Response | Promise<Response>,
): handleUnaryCall<Request, Response> {
  return (call, callback) => {
    const secrets = () => valuesIn(call.request).flatMap((struct) => secretTexts({}, receive(struct)));
    const operation = async () => {
      try {
        callback(null, await handle(call.request, call));
      } catch (error) {
        callback(answerTo(error, call.cancelled || cancellation.aborted));
      }
    };
    return hiding(secrets, operation, urnIn(call.request));
  };
}

const GETTERS = ["getArgs", "getInputs", "getNews", "getOldInputs", "getOlds", "getProperties"] as const;

/** The values of resources, configurations and arguments in a request. */
const valuesIn = (request: { readonly [Getter in (typeof GETTERS)[number]]?: () => Struct | undefined }): Struct[] =>
  GETTERS.flatMap((getter) => request[getter]?.() ?? []);

/** What the engine's calls share. */
class Plugin {
  /** A plugin that is started for debugging learns the engine's address later, from `attach`. */
  engine = process.argv[2] ?? "";
  readonly #invocations = new Invocations();
  #configured: EngineContext | undefined;
  /** The provider's configuration in the state; undefined for a new provider. */
  #recorded: Properties | undefined;

  // Loaded on first use: a program that only calls functions does not need them.
  readonly resources = once(() => {
    const { Resources } = require("./resources") as typeof import("./resources");
    return new Resources(async () => {
      if (this.#configured === undefined) throw new Error("the engine has not configured this provider yet");
      await reportLeftovers(this.#configured);
      return this.#configured;
    });
  });
  readonly components = once(() => {
    const { Components } = require("./components") as typeof import("./components");
    return new Components(this.engine);
  });

  kindOf(request: ResourceRequest): NativeKind {
    return this.resources().kindOf(request);
  }

  /** Runs a write. It may change what functions have answered before, even if it fails. */
  async writing<T>(operation: Promise<T>, isPreview = false): Promise<T> {
    try {
      return await operation;
    } finally {
      if (!isPreview) this.#invocations.forgetAccount();
    }
  }

  checkConfig(request: messages.CheckRequest): messages.CheckResponse {
    const { values, unknown } = receive(request.getNews());
    this.#recorded = request.getOlds() && receive(request.getOlds()).values;
    const mistakes = unknown ? [] : mistakesIn(values, ownProvider(request.getUrn()));
    return new messages.CheckResponse().setInputs(request.getNews()).setFailuresList(failureList(mistakes));
  }

  /** The engine also calls this for a resource that gets this provider in place of another. */
  async diffConfig(request: messages.DiffRequest): Promise<messages.DiffResponse> {
    const [old, next] = [receive(request.getOldInputs()), receive(request.getNews())];
    const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
    const response = new messages.DiffResponse();
    if (isDeepStrictEqual(old.values, next.values)) return response.setChanges(DIFF_NONE);
    response.setChanges(DIFF_SOME);
    if (old.unknown || next.unknown) return response;
    const { changesAccount } = require("./accountChange") as typeof import("./accountChange");
    const moves = await changesAccount({
      before: reader(old.values),
      after: reader(next.values),
      provider: ownProvider(request.getUrn()),
      isOwn: isDeepStrictEqual(old.values, this.#recorded),
    });
    return moves ? response.setReplacesList(["apiKey"]) : response;
  }

  /** A second configuration is refused. Otherwise anybody who reaches the port could have the key sent to another address. */
  configure(request: messages.ConfigureRequest): messages.ConfigureResponse {
    const { values, unknown } = receive(request.getArgs());
    if (!unknown) {
      const context = connect(reader(values), ownProvider(request.getUrn()), "native");
      // mutant plugin-pointed-elsewhere: gone
      if (this.#configured !== undefined && this.#configured !== context) throw new ReconfiguredError();
      this.#configured = context;
    }
    return new messages.ConfigureResponse()
      .setAcceptsecrets(true)
      .setAcceptoutputs(true)
      .setSupportspreview(true)
      .setSupportsAutonamingConfiguration(true);
  }

  async invoke(request: messages.InvokeRequest, call: Call): Promise<messages.InvokeResponse> {
    const { values, secret, unknown } = receive(request.getArgs());
    const response = new messages.InvokeResponse();
    const definition = this.#invocations.find(request.getTok());
    // Without a complete configuration there is no service to ask. That happens in previews only.
    if (unknown || this.#configured === undefined)
      return response.setReturn(sendUnknown(Object.keys(definition.result.shape)));
    const { account, client } = this.#configured;
    await account.confirmAllowed();
    const answer = await this.#invocations.answer(client, request.getTok(), values, endOf(call));
    if ("failures" in answer) return response.setFailuresList(failureList(answer.failures));
    const isSecret = secret || answer.secret;
    // What is encrypted is what the program asked for: that may be the key in a variable.
    // mutant answers-in-clear: Object(answer.values)
    const answered = Object(asData(isSecret ? answer.values : redactKept(answer.values, [])));
    return response.setReturn(send(answered, isSecret ? allSecret(answered) : {}));
  }
}

/**
 * Aborts when the engine drops this call or cancels all. Only what may wait for long asks for it: gRPC reports the end of
 * each call as its cancellation, and the error of an abort costs as much as all else of a short call.
 */
function endOf(call: Call): AbortSignal {
  const dropped = new AbortController();
  call.on("cancelled", () => dropped.abort());
  return AbortSignal.any([dropped.signal, cancellation]);
}

/** The gRPC error for a thrown one. For a partly made resource it holds the state to record. */
function answerTo(error: unknown, aborted: boolean): Partial<ServiceError> {
  const details = engineText(messageOf(error));
  const unfinished = error instanceof Error && "details" in error ? error.details : undefined;
  if (!(unfinished instanceof messages.ErrorResourceInitFailed)) {
    return { code: aborted ? status.CANCELLED : codeOf(error), details };
  }
  const packed = new Any();
  packed.pack(unfinished.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const whole = new messages.Status().setCode(status.UNKNOWN).setMessage(details);
  whole.addDetails(packed);
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", Buffer.from(whole.serializeBinary()));
  return { code: status.UNKNOWN, details, metadata };
}

/** Reads a configuration by the names that a stack gives its values. */
function reader(values: Readonly<Record<string, unknown>>): (key: string) => string | undefined {
  return (key) => {
    // The inputs of a dynamic provider have the namespace.
    const value = values[key.replace(/^computecloud:/, "")] ?? values[key];
    if (value === undefined || value === null) return undefined;
    // An empty list is a mistake, and its text would be that of a setting that was left out.
    return Array.isArray(value) ? JSON.stringify(value) : String(value);
  };
}

/**
 * Mistakes in a configuration. The engine prints the value of the property that a failure names, which may be a key in
 * the wrong place. So only the message names the property.
 */
function mistakesIn(configuration: Properties, provider: string | undefined): CheckFailure[] {
  try {
    // The program's own provider has its arguments from a typed class.
    if (provider === undefined) refuseMisspelt(Object.keys(configuration).map((key) => `computecloud:${key}`));
    readSettings(reader(configuration), process.env, provider);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [{ property: "", reason: error.message }];
  }
}

/**
 * The name of a provider that the program made; undefined for the engine's own, which the stack configures. Those are
 * called `default`, `default_1_2_3`.
 */
function ownProvider(urn = ""): string | undefined {
  const name = nameOfUrn(urn);
  return name === "" || /^default(_\d|$)/.test(name) ? undefined : name;
}

function failureList(failures: readonly CheckFailure[]): messages.CheckFailure[] {
  return failures.map(({ property, reason }) =>
    new messages.CheckFailure().setProperty(engineText(property)).setReason(engineText(reason)),
  );
}

/** The provider was configured before with other settings. */
class ReconfiguredError extends Error {
  override readonly name = "ReconfiguredError";
  constructor() {
    super("this provider is configured already, with other settings; each account needs a provider of its own");
  }
}

// UNAVAILABLE must not be among them: a program that receives it assumes that the engine has ended, and exits without a
// message.
const CODES: readonly (readonly [abstract new (...args: never[]) => Error, status])[] = [
  [AuthenticationError, status.UNAUTHENTICATED],
  [PermissionError, status.PERMISSION_DENIED],
  [NotFoundError, status.NOT_FOUND],
  [RateLimitError, status.RESOURCE_EXHAUSTED],
  [ConfigError, status.FAILED_PRECONDITION],
  [OtherAccountError, status.FAILED_PRECONDITION],
  [AccountNotAllowedError, status.FAILED_PRECONDITION],
  [ReconfiguredError, status.FAILED_PRECONDITION],
  [UnknownFunctionError, status.INVALID_ARGUMENT],
];

const codeOf = (error: unknown): status => CODES.find(([kind]) => error instanceof kind)?.[1] ?? status.UNKNOWN;
