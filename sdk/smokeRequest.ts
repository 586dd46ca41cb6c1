// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import type { RequestTarget } from "./internal/endpoint";
import { ComputeCloudResource } from "./internal/resource";
import type {
  AnswerExpectation,
  ColdStartBoundArgs,
  PercentileBoundsArgs,
  ReferenceBoundArgs,
  RequestMethod,
  TimePercentiles,
} from "./types";

/** Tokens a second of a `chat`, or events a second of another stream. Default: not checked. */
export interface RateBoundArgs {
  /** Lower bound of the median. */
  p50?: Input<number>;
  /** Lower bound of every one. */
  min?: Input<number>;
}

/** Tokens a second of a `chat`, or events a second of another stream. */
export interface StreamRates {
  /** The median. */
  p50: number;
  /** The lowest. */
  min: number;
}

/** Measurements of the last run's requests. */
export interface RequestFigures {
  /** Number of requests. */
  requests: number;
  /** Milliseconds until something answered; absent if something did at once. */
  coldStart?: number;
  /** How long the first byte of an answer's body took. */
  firstByte?: TimePercentiles;
  /** How long the first token of a `chat` took. */
  firstToken?: TimePercentiles;
  /** How long answers took to their end. */
  total?: TimePercentiles;
  /** Tokens a second of a `chat`, or events a second of another stream. */
  rate?: StreamRates;
  /** How long answers of `liveEndpointId` took to their end. */
  live?: TimePercentiles;
}

interface OwnSmokeRequestArgs {
  /**
   * Path with its query, from the first slash on. With `chat`: the beginning of OpenAI's routes. Default: `/`, or all
   * of `url`; with `chat` `/v1`, of a queue `/openai/v1`. Updates in place.
   */
  path?: Input<string>;
  /** HTTP method. Default: POST with a `body`, else GET. Updates in place. */
  method?: Input<RequestMethod>;
  /**
   * What a language model is asked, such as "Say hello". The model that `GET …/models` lists gets it as a streamed chat
   * completion, which must bring tokens and come to its end. Default: none. Updates in place.
   */
  chat?: Input<string>;
  /** The model for `chat`. Default: the first that is served. Updates in place. */
  model?: Input<string>;
  /** Headers by name. No message shows their values. Default: none. Always a secret. Updates in place. */
  headers?: Input<Record<string, Input<string>>>;
  /**
   * JSON, or a text that is sent as it is. With `chat`: further members of its body, such as `{ max_tokens: 256 }`.
   * Default: none. Updates in place.
   */
  body?: Input<unknown>;
  /** What the answer must be. Default: any with a status from 200 to 299. Updates in place. */
  expect?: Input<AnswerExpectation>;
  /** Number of requests, 1 to 1000, all the same. Default 1. Updates in place. */
  requests?: Input<number>;
  /** Requests at a time, 1 to 100, after the first one. Default 1. Updates in place. */
  concurrency?: Input<number>;
  /**
   * How long the first one may wait for a worker if none was ready before it. Default: not checked. Updates in place.
   */
  coldStart?: Input<ColdStartBoundArgs>;
  /** How long the first byte of an answer's body may take. Default: not checked. Updates in place. */
  firstByte?: Input<PercentileBoundsArgs>;
  /** How long the first token of a `chat` may take. Default: not checked. Updates in place. */
  firstToken?: Input<PercentileBoundsArgs>;
  /** How long an answer may take to its end. Default: not checked. Updates in place. */
  total?: Input<PercentileBoundsArgs>;
  /** Tokens a second of a `chat`, or events a second of another stream. Default: not checked. Updates in place. */
  rate?: Input<RateBoundArgs>;
  /**
   * How much slower answers may come to their end than a reference: 1.2 is 20 % slower. Default: not checked. Updates
   * in place.
   */
  notSlowerThan?: Input<ReferenceBoundArgs>;
  /** Id of the endpoint for `notSlowerThan.live`. The requests really go there. Default: none. Updates in place. */
  liveEndpointId?: Input<string>;
  /** Values whose change sends the request again, such as an image's digest. Default: none. */
  triggers?: Input<Input<unknown>[] | Record<string, Input<unknown>>>;
  /**
   * Time for everything, cold start and further attempts included: `90s`, `5m`, `1h`. Default `5m`. Changing it alone
   * updates nothing.
   */
  timeout?: Input<string>;
  /**
   * How often a request with an unexpected answer is sent again within `timeout`. Default 0. Changing it alone updates
   * nothing.
   */
  retries?: Input<number>;
  /**
   * For an endpoint with a maximum of 0 workers: the maximum while requests are sent. Afterwards it is 0 again.
   * Default: the endpoint's own maximum; 1 while its `schedule` sets 0 workers. Changing it alone updates nothing.
   */
  workersMax?: Input<number>;
  /**
   * Makes `answer` a secret, and keeps it and the texts of `body`, `expect` and `chat` out of error messages. A secret
   * `url`, `body`, `expect` or `chat` does the same. Default false. Changing it alone updates nothing.
   */
  secretOutput?: Input<boolean>;
}

export type SmokeRequestArgs = OwnSmokeRequestArgs & RequestTarget;

/**
 * An HTTP request that must be answered as expected for the deployment to succeed: of a load balancing endpoint, of a
 * language model behind OpenAI's API, of a pod's web server, or of any address. It is sent when it is created and when
 * an argument or the endpoint changes; never in a preview. It waits through a cold start, and tells the service's
 * answers from the server's own. The error names the likely cause. With bounds, such as `firstToken` and `total`,
 * several `requests` are sent, and the deployment fails with a table if a bound is exceeded. A failed request is sent
 * again in the next `pulumi up`. Deleting a SmokeRequest changes nothing in the account.
 *
 * @example A language model that has to answer
 * ```ts
 * import { ServerlessContainer, SmokeRequest } from "pulumi-computecloud";
 *
 * const serverlessContainer = new ServerlessContainer("summarizer", {
 *   type: "QUEUE",
 *   image: "registry.example.com/summarizer:2.1.0",
 *   gpu: { pools: ["AMPERE_24", "ADA_24"] },
 *   workers: { max: 2 },
 *   scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
 * });
 * const saysHello = new SmokeRequest("says-hello", { endpoint: serverlessContainer, chat: "Say hello", timeout: "15m" });
 * ```
 *
 * @example A load balancer that has to answer fast enough
 * ```ts
 * import { ServerlessContainer, SmokeRequest } from "pulumi-computecloud";
 *
 * const serverlessContainer = new ServerlessContainer("embedder", {
 *   type: "LOAD_BALANCER",
 *   image: "registry.example.com/embedder:3",
 *   cpu: [{ id: "cpu5c", vcpuCount: 4 }],
 *   workers: { max: 4, idleTimeout: 30 },
 *   scaling: { type: "REQUEST_COUNT", requestCount: 16 },
 *   ports: ["80/http"],
 *   timeout: 60000,
 * });
 * const predicts = new SmokeRequest("predicts", {
 *   endpoint: serverlessContainer,
 *   path: "/predict",
 *   body: { text: "ping" },
 *   expect: { status: 200 },
 *   requests: 20,
 *   concurrency: 4,
 *   total: { p95: "2s" },
 * });
 * ```
 *
 * @see https://docs.runpod.io/serverless/load-balancing/overview (GET /ping)
 */
export class SmokeRequest extends ComputeCloudResource {
  /**
   * Id of the endpoint, a load balancer or a queue with OpenAI's routes. Exactly one of this, `podId` and `url`.
   * Default: none.
   */
  declare readonly endpointId: Output<string | undefined>;
  /** Id of the pod, whose `port` is reached through the service's proxy. Default: none. */
  declare readonly podId: Output<string | undefined>;
  /** HTTP status of the last answer. */
  declare readonly status: Output<number>;
  /**
   * Body of the last answer: parsed where it is JSON, else a text; of a `chat` the model's text. The state does not
   * keep more than 100,000 characters.
   */
  declare readonly answer: Output<unknown>;
  /** The model that answered the `chat`. */
  declare readonly servedModel: Output<string | undefined>;
  /** Milliseconds until the first token of the last `chat`. */
  declare readonly firstTokenTime: Output<number | undefined>;
  /** Milliseconds until the end of the last answer. */
  declare readonly totalTime: Output<number>;
  /** Tokens a second of the last `chat`, after its first token. */
  declare readonly tokensPerSecond: Output<number | undefined>;
  /** Measurements of the last run's requests. */
  declare readonly measured: Output<RequestFigures>;

  constructor(name: string, args: SmokeRequestArgs, options?: CustomResourceOptions) {
    super(
      {
        provider: "smokeRequest",
        type: "SmokeRequest",
        outputs: [
          "endpointId",
          "podId",
          "status",
          "answer",
          "servedModel",
          "firstTokenTime",
          "totalTime",
          "tokensPerSecond",
          "measured",
        ],
        secrets: ["headers"],
        named: false,
        takesEndpoint: true,
        json: ["body", "expect"],
        secretWith: { output: "answer", inputs: ["url", "body", "expect", "chat"] },
      },
      name,
      args,
      options,
    );
  }
}
