import { z } from "zod";
import type { Service } from "../service";

/** A call to the service that the page requests, the same as its `curl` command. */
export const callSchema = z.discriminatedUnion("interface", [
  z.strictObject({
    interface: z.enum(["rest", "queue"]),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
    /** It begins with `/v2/`, so that it can't change the host: the call gets the account's key. */
    path: z.string().regex(/^\/v2\/[^\s\\]*$/),
    body: z.unknown().optional(),
  }),
  z.strictObject({ interface: z.literal("graphql"), body: z.looseObject({ query: z.string() }) }),
]);
export type ConsoleCall = z.output<typeof callSchema>;

/**
 * Makes the call with the account's key, so the page never has the key. The call is treated like any other: with rules,
 * quotas, faults and the request log.
 */
export async function makeCall(
  { urls }: Service,
  apiKey: string,
  call: ConsoleCall,
): Promise<{ status: number; text: string }> {
  const isGraphql = call.interface === "graphql";
  const base = call.interface === "queue" ? urls.serverlessUrl : urls.baseUrl;
  const answer = await fetch(isGraphql ? urls.graphqlUrl : base + call.path, {
    method: isGraphql ? "POST" : call.method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(call.body !== undefined && { "content-type": "application/json" }),
    },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
  });
  return { status: answer.status, text: await answer.text() };
}
