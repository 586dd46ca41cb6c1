import {
  type handleUnaryCall,
  Metadata,
  Server,
  type ServiceError,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { type IResourceProviderServer, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { AuthenticationError, NotFoundError, PermissionError, RateLimitError } from "../../client/errors";
import { messageOf } from "../../client/messageOf";
import { redact } from "../../client/redact";
import type { CheckFailure, Context } from "../../lifecycle/definition";
import type { Properties } from "../../lifecycle/values";
import { cancel, cancellation } from "../cancellation";
import { ConfigError, readSettings } from "../config";
import { connect } from "../connect";
import { engineText } from "../text";
import { Invocations, UnknownFunctionError } from "./invocations";
import { type OwnerOf, ownerOfPeer, refuseStrangers, remembered, StrangerError } from "./peer";
import { allSecret, receive, send, sendUnknown } from "./values";

const facts = require("pulumi-computecloud/package.json") as { version: string };

/** What the plugin answers; of a provider's other methods gRPC says that they are not implemented. */
type Methods = Pick<
  IResourceProviderServer,
  | "handshake"
  | "attach"
  | "getPluginInfo"
  | "getSchema"
  | "checkConfig"
  | "diffConfig"
  | "configure"
  | "invoke"
  | "check"
  | "diff"
  | "create"
  | "read"
  | "update"
  | "delete"
  | "list"
  | "cancel"
>;

/** The engine's messages are as large as the answers in them; gRPC's own limit is 4 MB. */
const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;

/** The plugin's gRPC server, not yet bound to a port. */
export function pluginServer(ownerOf: OwnerOf = remembered(ownerOfPeer)): Server {
  const server = new Server({ "grpc.max_receive_message_length": MAX_MESSAGE_BYTES });
  const methods: Methods & UntypedServiceImplementation = pluginMethods(ownerOf);
  server.addService(ResourceProviderService, methods);
  return server;
}

function pluginMethods(ownerOf: OwnerOf): Methods {
  const invocations = new Invocations();
  let configured: Context | undefined;
  // Loaded on first use: a program that only calls functions needs none of it.
  let loaded: import("./resources").Resources | undefined;
  const resources = () => {
    const { Resources } = require("./resources") as typeof import("./resources");
    loaded ??= new Resources(async () => {
      if (configured === undefined) throw new NotConfiguredError();
      return configured;
    });
    return loaded;
  };

  /** Whoever could point a configured provider elsewhere would be sent its key. */
  const configure = (values: Properties, provider: string | undefined): void => {
    const context = connect(reader(values), provider);
    if (configured !== undefined && configured !== context) throw new ReconfiguredError();
    configured = context;
  };

  /**
   * A method as gRPC wants it; its signal is aborted when the engine drops this call or cancels all.
   *
   * @param given what the request holds; the secrets of it are taken out of errors
   */
  const method =
    <Request, Response>(
      handle: (request: Request, signal: AbortSignal) => Response | Promise<Response>,
      given: (request: Request) => Struct | undefined = () => undefined,
    ): handleUnaryCall<Request, Response> =>
    async (call, callback) => {
      const dropped = new AbortController();
      call.on("cancelled", () => dropped.abort());
      const signal = AbortSignal.any([dropped.signal, cancellation]);
      try {
        refuseStrangers(call.getPeer(), ownerOf);
        callback(null, await handle(call.request, signal));
      } catch (error) {
        callback(answerTo(error, receive(given(call.request)).secrets, signal.aborted));
      }
    };

  /** A write may change what functions answered before it, whether it succeeds or not. */
  const writing = async <T>(operation: Promise<T>): Promise<T> => {
    try {
      return await operation;
    } finally {
      invocations.forgetAccount();
    }
  };

  return {
    handshake: method(() => {
      const response = new messages.ProviderHandshakeResponse();
      return response
        .setAcceptSecrets(true)
        .setAcceptOutputs(true)
        .setAcceptsOutputsInInvoke(true)
        .setSupportsAutonamingConfiguration(true);
    }),
    attach: method(() => new Empty()),
    getPluginInfo: method(() => new PluginInfo().setVersion(facts.version)),

    getSchema: method((request) => {
      if (request.getVersion() !== 0) throw new RangeError(`there is no schema version ${request.getVersion()}`);
      const schema: unknown = require("pulumi-computecloud/schema.json");
      return new messages.GetSchemaResponse().setSchema(JSON.stringify(schema));
    }),

    checkConfig: method((request) => {
      const { values, secrets, unknown } = receive(request.getNews());
      const response = new messages.CheckResponse().setInputs(request.getNews());
      const mistakes = unknown ? [] : mistakesIn(values, ownProvider(request.getUrn()));
      return response.setFailuresList(failureList(mistakes, secrets));
    }),
    diffConfig: method((request) => {
      const same =
        JSON.stringify(request.getOldInputs()?.toJavaScript()) === JSON.stringify(request.getNews()?.toJavaScript());
      const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
      return new messages.DiffResponse().setChanges(same ? DIFF_NONE : DIFF_SOME);
    }),
    configure: method(
      (request) => {
        const { values, unknown } = receive(request.getArgs());
        if (!unknown) configure(values, ownProvider(request.getUrn()));
        const response = new messages.ConfigureResponse();
        return response
          .setAcceptsecrets(true)
          .setAcceptoutputs(true)
          .setSupportspreview(true)
          .setSupportsAutonamingConfiguration(true);
      },
      (request) => request.getArgs(),
    ),

    invoke: method(
      async (request, signal) => {
        const { values, secret, secrets, unknown } = receive(request.getArgs());
        const response = new messages.InvokeResponse();
        const definition = invocations.find(request.getTok());
        // Without a whole configuration there is nobody to ask, and that happens in previews only.
        if (unknown || configured === undefined)
          return response.setReturn(sendUnknown(Object.keys(definition.result.shape)));
        const answer = await invocations.answer(configured.client, request.getTok(), values, signal);
        if ("failures" in answer) return response.setFailuresList(failureList(answer.failures, secrets));
        return response.setReturn(send(answer.values, secret || answer.secret ? allSecret(answer.values) : {}));
      },
      (request) => request.getArgs(),
    ),

    check: method(
      (request) => resources().kindOf(request).check(request),
      (request) => request.getNews(),
    ),
    diff: method(
      (request) => resources().kindOf(request).diff(request),
      (request) => request.getNews(),
    ),
    create: method(
      (request) => {
        const operation = resources().kindOf(request).create(request);
        return request.getPreview() ? operation : writing(operation);
      },
      (request) => request.getProperties(),
    ),
    read: method(
      (request) => resources().kindOf(request).read(request),
      (request) => request.getProperties(),
    ),
    update: method(
      (request) => {
        const operation = resources().kindOf(request).update(request);
        return request.getPreview() ? operation : writing(operation);
      },
      (request) => request.getNews(),
    ),
    delete: method(
      async (request) => {
        await writing(resources().kindOf(request).delete(request));
        return new Empty();
      },
      (request) => request.getProperties(),
    ),
    list: async (call) => {
      try {
        refuseStrangers(call.getPeer(), ownerOf);
        const { request } = call;
        for (const each of await resources().kind(request.getToken()).list(request.getLimit())) call.write(each);
        call.end();
      } catch (error) {
        call.emit("error", answerTo(error, [], cancellation.aborted));
      }
    },

    cancel: method(() => {
      cancel();
      return new Empty();
    }),
  };
}

/** An error on its way to the engine; of a resource that is partly made it gets what the state has to hold. */
function answerTo(error: unknown, secrets: readonly string[], aborted: boolean): Partial<ServiceError> {
  const message = messageOf(error);
  const details = engineText(redact(message, secrets));
  const unfinished = error instanceof Error && "details" in error ? error.details : undefined;
  if (!(unfinished instanceof messages.ErrorResourceInitFailed)) {
    return { code: aborted ? status.CANCELLED : codeOf(error), details };
  }
  unfinished.setReasonsList(unfinished.getReasonsList().map((reason) => redact(reason, secrets)));
  const packed = new Any();
  packed.pack(unfinished.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const whole = new Status().setCode(status.UNKNOWN).setMessage(details);
  whole.addDetails(packed);
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", Buffer.from(whole.serializeBinary()));
  return { code: status.UNKNOWN, details, metadata };
}

/** Configuration by the names that a stack gives it. */
function reader(values: Readonly<Record<string, unknown>>): (key: string) => string | undefined {
  return (key) => {
    const value = values[key.replace(/^computecloud:/, "")];
    return value === undefined || value === null ? undefined : String(value);
  };
}

/** The engine prints the value of the property that a failure names, which may be the key in a wrong place: the message names it. */
function mistakesIn(configuration: Properties, provider: string | undefined): CheckFailure[] {
  try {
    readSettings(reader(configuration), process.env, provider);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [{ property: "", reason: error.message }];
  }
}

/** The provider's name, where the program made it. The engine's own, which the stack configures: `default`, `default_1_2_3`. */
function ownProvider(urn = ""): string | undefined {
  const name = urn.split("::").slice(3).join("::");
  return name === "" || /^default(_\d|$)/.test(name) ? undefined : name;
}

/** @param secrets what was given as a secret, and no reason may quote */
function failureList(failures: readonly CheckFailure[], secrets: readonly string[]): messages.CheckFailure[] {
  return failures.map(({ property, reason }) =>
    new messages.CheckFailure().setProperty(engineText(property)).setReason(engineText(redact(reason, secrets))),
  );
}

/** The provider was configured before, with other settings. */
class ReconfiguredError extends Error {
  override readonly name = "ReconfiguredError";
  constructor() {
    super("this provider is configured already, with other settings; each account needs a provider of its own");
  }
}

/** An operation without a configuration before it. */
class NotConfiguredError extends Error {
  override readonly name = "NotConfiguredError";
  constructor() {
    super("the engine has not configured this provider yet");
  }
}

// UNAVAILABLE is none of them: a program that receives it takes the engine for gone, and ends without a word.
const CODES: readonly (readonly [abstract new (...args: never[]) => Error, status])[] = [
  [AuthenticationError, status.UNAUTHENTICATED],
  [PermissionError, status.PERMISSION_DENIED],
  [NotFoundError, status.NOT_FOUND],
  [RateLimitError, status.RESOURCE_EXHAUSTED],
  [ConfigError, status.FAILED_PRECONDITION],
  [ReconfiguredError, status.FAILED_PRECONDITION],
  [StrangerError, status.PERMISSION_DENIED],
  [UnknownFunctionError, status.INVALID_ARGUMENT],
];

function codeOf(error: unknown): status {
  return CODES.find(([kind]) => error instanceof kind)?.[1] ?? status.UNKNOWN;
}
