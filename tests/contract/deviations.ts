import { DEVIATIONS as OF_THE_CONTRACT } from "./openapi/deviations";

/** Where two of the service's interfaces, or its documents and what was seen of it, say different things. */
interface Clash {
  readonly name: string;
  /** What each side says; the emulator does what the last one says, or both where they are two interfaces. */
  readonly says: readonly [string, string];
  readonly reason: string;
}

export const CLASHES = [
  {
    name: "excluded GPU types that are in no pool",
    says: ["REST refuses them with 400", "GraphQL keeps them"],
    reason: "The contract demands it of REST; over GraphQL, live checks saw unknown types stored without a word.",
  },
  {
    name: "short names of endpoints",
    says: ["REST takes one character", "GraphQL takes three or more"],
    reason: "The contract's minimum is 1; the vendor's own clients hold to 3 before they call GraphQL.",
  },
  {
    name: "FlashBoot by the end of a name",
    says: ["REST has flashboot alone", "GraphQL turns it on for names that end in -fb"],
    reason: "Clients older than flashBootType ask for it so, and only those of GraphQL are that old.",
  },
  {
    name: "half seconds of queue delay",
    says: ["REST takes numbers from 0.5", "GraphQL shows whole numbers"],
    reason: "An Int holds scalerValue, so that what REST has set is rounded up, never down to the refused 0.",
  },
  {
    name: "a time limit that is left out",
    says: ["REST sets 300,000 ms", "GraphQL sets none, 0"],
    reason:
      "The contract names the default; a live create without it was seen with 0, which is GraphQL's. Clients send it.",
  },
  {
    name: "fields that an update leaves out",
    says: ["a PATCH of REST keeps them", "saveEndpoint sets defaults"],
    reason: "The contract's PATCH is sparse; saveEndpoint with an id was seen twice to reset what it is not told.",
  },
  {
    name: "deleting an endpoint that may have workers",
    says: ["REST deletes it", "GraphQL wants workersMin and workersMax to be 0 first"],
    reason: "The contract has no precondition; GraphQL's documents and the vendor's older provider have one.",
  },
  {
    name: "statuses of refusals",
    says: ["REST answers 400", "GraphQL answers 200 with errors"],
    reason: "Both as documented; what GraphQL can't even read is a 400 there as well.",
  },
  {
    name: "the form of a stream",
    says: ["the description shows a bare list", "live answers are objects with the job's status"],
    reason: "Three clients read the object. The setting streamForm has the other.",
  },
  {
    name: "the key of the job plane",
    says: ["the description sends it raw", "the documents send it as a bearer"],
    reason: "Clients of both kinds are about; REST takes the bearer alone.",
  },
  {
    name: "rate-limit headers of clusters",
    says: ["the contract leaves them out", "the description has them on every answer to a key"],
    reason: "The description goes before the contract, and headers that a client does not expect break none.",
  },
] as const satisfies readonly Clash[];

/** Every deviation that is known, with its reason: of REST from the contract, and what clashes elsewhere. */
export const EVERY_DEVIATION: readonly { readonly name: string; readonly reason: string }[] = [
  ...OF_THE_CONTRACT,
  ...CLASHES,
];
