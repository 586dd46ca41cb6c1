import { randomBytes } from "node:crypto";
import { parseJson } from "../../../common/json";
import { z } from "../../../common/zod";
import { type CheckFailure, type Context, defineResource } from "../../lifecycle/definition";
import { from } from "../../lifecycle/fields/example";
import {
  type Controls,
  computedWhenOmitted,
  control,
  type Desired,
  json,
  named,
  secretWith,
  trigger,
} from "../../lifecycle/fields/fields";
import type { Unknown } from "../../lifecycle/fields/unknown";
import { answerExpectation } from "../../smoke/answerExpectation";
import { referenceProblems } from "../../smoke/bounds";
import { requestBoundFields, requestBoundsIn, requestFigures } from "../../smoke/requestGate";
import type { Address } from "../../smoke/target";
import { exclusive } from "../rules";
import {
  answerProblem,
  CREDENTIALS_RULE,
  hasCredentials,
  jsonText,
  keepable,
  provingFields,
  requestFields,
  requestGate,
  requestMistakes,
  requestValue,
} from "./smokeFields";
import { withWorkers } from "./temporaryWorkers";

const port = z.int().min(1).max(65_535);
const { body, expect, headers } = requestValue.shape;

const inputs = z.strictObject({
  endpointId: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Id of the endpoint, a load balancer or a queue with OpenAI's routes. Exactly one of this, `podId` and `url`. Default: none.",
    ),
  podId: z
    .string()
    .min(1)
    .optional()
    .describe("Id of the pod, whose `port` is reached through the service's proxy. Default: none."),
  port: port.optional().describe("The pod's http port. Default: its only one."),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("An address of any server. It never gets the account's key. Default: none."),
  ...requestFields,
  headers,
  body: json(body, z.string().optional()).describe(body.description ?? ""),
  expect: json(expect, jsonText(answerProblem).optional()).describe(expect.description ?? ""),
  ...requestBoundFields,
  ...provingFields({
    repeats: "sends the request",
    isRepeated: "the request is sent",
    retries: "How often a request with an unexpected answer is sent again within `timeout`.",
    meanwhile: "requests are sent",
  }),
  endpointType: control(z.string().optional()).describe(
    "The endpoint's `type`, by which previews check `path`. Default: not checked.",
  ),
  podImage: trigger(computedWhenOmitted(z.string().optional())).describe(
    "The pod's `image`: the request is sent again when it changes. Default: none.",
  ),
  secretOutput: control(z.boolean().default(false)).describe(
    "Makes `answer` a secret, and keeps it and the texts of `path`, `body`, `expect` and `chat` out of error messages. A secret " +
      "`url`, `path`, `body`, `expect` or `chat` does the same.",
  ),
});

type Wanted = Desired<typeof inputs> & Controls<typeof inputs>;

/** What the state holds of a passed request. */
const outputs = z.object({
  status: z.int().describe("HTTP status of the last answer."),
  answer: secretWith(["url", "path", "body", "expect", "chat"], z.unknown().optional()).describe(
    "Body of the last answer: parsed where it is JSON, else a text; of a `chat` the model's text. The state does not keep " +
      "more than 100,000 characters.",
  ),
  servedModel: z.string().optional().describe("The model that answered the `chat`."),
  firstTokenTime: z.number().optional().describe("Milliseconds until the first token of the last `chat`."),
  totalTime: z.number().describe("Milliseconds until the end of the last answer."),
  tokensPerSecond: z.number().optional().describe("Tokens a second of the last `chat`, after its first token."),
  measured: named("RequestFigures", requestFigures.describe("Measurements of the last run's requests.")),
});
type Passed = z.output<typeof outputs>;

/** The state holds the last run that passed. A failed run leaves it as it is, as of a SmokeJob. */
export const smokeRequest = defineResource({
  kind: "SmokeRequest",
  noun: "Endpoint",
  rights: { preview: "nothing", up: "write: queue; read: serverless, pods" },
  priced: false,
  uses: ["pod", "serverlessContainer", "serverlessEndpoint"],
  // An answered request leaves nothing in the account.
  adoption: "none",
  orphans: "none",
  source: { operation: "GET /ping", page: "serverless/load-balancing/overview" },
  description:
    "An HTTP request that must be answered as expected for the deployment to succeed: of a load balancing endpoint, of a " +
    "language model behind OpenAI's API, of a pod's web server, or of any address. It is sent when it is created and when an " +
    "argument or the endpoint changes; never in a preview. It waits through a cold start, and tells the service's answers " +
    "from the server's own. The error names the likely cause. With bounds, such as `firstToken` and `total`, several " +
    "`requests` are sent, and the deployment fails with a table if a bound is exceeded. A failed request is sent again in the " +
    "next `pulumi up`. Deleting a SmokeRequest changes nothing in the account.",
  inputs,
  shows: ["endpointId", "podId"],
  outputs,
  examples: [
    {
      title: "A language model that has to answer",
      name: "says-hello",
      args: {
        endpointId: from("serverlessContainer"),
        endpointRevision: from("serverlessContainer", "revision"),
        chat: "Say hello",
        timeout: "15m",
      },
    },
    {
      title: "A load balancer that has to answer fast enough",
      name: "predicts",
      args: {
        endpointId: from("serverlessContainer", "id", 1),
        endpointRevision: from("serverlessContainer", "revision", 1),
        path: "/predict",
        body: JSON.stringify({ text: "ping" }),
        expect: JSON.stringify({ status: 200 }),
        requests: 20,
        concurrency: 4,
        total: { p95: "2s" },
      },
    },
  ],

  takes: [
    {
      argument: "endpoint",
      byId: "stays",
      description: "The endpoint to try. The request is sent again when its id or its `revision` changes.",
    },
    {
      argument: "pod",
      byId: "stays",
      description: "The pod to try. The request is sent again when its id or its `image` changes.",
    },
  ],
  rules: (declared, isUnknown) => [
    ...oneTarget(declared, isUnknown),
    ...requestMistakes(valuesOf(declared), declared.endpointType, isUnknown("chat") !== false),
    ...referenceProblems(declared, isUnknown),
  ],
  create: async (context, wanted, _, controls) => ({
    id: `request-${randomBytes(5).toString("hex")}`,
    ...(await run(context, { ...wanted, ...controls })),
  }),
  update: async (context, id, wanted, { old }, controls) => ({
    id,
    ...(await run(context, { ...wanted, ...controls }, old.measured)),
  }),
  read: async (_, id, state) => {
    if (state.measured === undefined) {
      throw new Error(
        `SmokeRequest ${id} can't be read by its id: the service keeps no record of it. Declare a SmokeRequest to send it.`,
      );
    }
    return { id, ...outputs.parse(state) };
  },
  // Nothing of it remains.
  delete: async () => true,
  observe: () => ({}),
  computed: ({ status, answer, servedModel, firstTokenTime, totalTime, tokensPerSecond, measured }) => ({
    status,
    answer,
    servedModel,
    firstTokenTime,
    totalTime,
    tokensPerSecond,
    measured,
  }),
});

type Declared = Partial<z.output<typeof inputs>>;
const TARGETS = ["endpointId", "podId", "url"] as const;

function oneTarget(declared: Declared, isUnknown: (field: keyof Declared) => Unknown): CheckFailure[] {
  const { certain, isAny } = exclusive(TARGETS, declared, isUnknown);
  const [first, second] = certain;
  const mayBe = (target: (typeof TARGETS)[number]) =>
    certain.includes(target) || (first === undefined && isUnknown(target) !== false);
  if (!isAny) return [{ property: "", reason: "needs one of endpoint, pod and url" }];
  return [
    ...(second === undefined ? [] : [{ property: second, reason: `is not taken together with ${first}; remove one` }]),
    ...(declared.port !== undefined && !mayBe("podId")
      ? [{ property: "port", reason: "is a pod's; remove it, or give pod" }]
      : []),
    ...(declared.workersMax !== undefined && !mayBe("endpointId")
      ? [{ property: "workersMax", reason: "is an endpoint's; remove it, or give endpoint" }]
      : []),
    ...(declared.url !== undefined && hasCredentials(declared.url)
      ? [{ property: "url", reason: CREDENTIALS_RULE }]
      : []),
  ];
}

function valuesOf({ body, expect, ...others }: Declared) {
  const parsed = body === undefined ? undefined : parseJson(body);
  return {
    ...others,
    // Other languages than TypeScript give a text as it is.
    body: parsed === undefined ? body : parsed,
    expect: expect === undefined ? undefined : answerExpectation.parse(JSON.parse(expect)),
  };
}

async function run(context: Context, wanted: Wanted, before?: unknown): Promise<Passed> {
  const { endpointId, workersMax, secretOutput, timeout, retries } = wanted;
  const { path, method, headers, chat, model, body, expect } = valuesOf(wanted);
  const declared = { address: addressOf(wanted), path, method, headers, chat, model, body, expect, timeout, retries };
  const send = () =>
    requestGate(context, "SmokeRequest", { ...declared, secretAnswer: secretOutput }, requestBoundsIn(wanted), before);
  const { reply, measured } = await (endpointId === undefined
    ? send()
    : withWorkers(context, endpointId, workersMax, send));
  const { status, text, firstTokenMs, totalMs, perSecond } = reply;
  return {
    status,
    answer: keepable("SmokeRequest: its answer", chat === undefined ? (parseJson(text) ?? text) : text, context.log),
    servedModel: reply.model,
    firstTokenTime: firstTokenMs && Math.round(firstTokenMs),
    totalTime: Math.round(totalMs),
    tokensPerSecond: chat === undefined ? undefined : perSecond && Math.round(perSecond * 10) / 10,
    measured,
  };
}

function addressOf({ endpointId, podId, port, url = "" }: Wanted): Address {
  if (endpointId !== undefined) return { endpointId };
  return podId === undefined ? { url } : { podId, port };
}
