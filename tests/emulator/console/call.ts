import { z } from "zod";
import type { Service } from "../service";

/** A call that the page asks for: one of the service's own, as its `curl` line would make it. */
export const callSchema = z.discriminatedUnion("interface", [
  z.strictObject({
    interface: z.enum(["rest", "queue"]),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
    /** From `/v2/` on, so that the address before it stays the emulator's. */
    path: z.string().regex(/^\/v2\/[^\s\\]*$/),
    body: z.unknown().optional(),
  }),
  z.strictObject({ interface: z.literal("graphql"), body: z.looseObject({ query: z.string() }) }),
]);
export type ConsoleCall = z.output<typeof callSchema>;

/**
 * Makes the call with the account's key, which the page therefore never holds. It passes the same door as every other
 * call: rules, quotas, faults and the log of requests hold for it.
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
