import { expect, test } from "@jest/globals";
import { BadRequestError, ConflictError, PermissionError } from "../../provider/client";
import { InterruptedError } from "../../provider/lifecycle/wait";
import { whileInUse } from "../../provider/resources/whileInUse";
import { contextOf } from "../harness/context";

const nowhere = "http://127.0.0.1:1";
const context = contextOf({
  apiKey: "key",
  baseUrl: nowhere,
  serverlessUrl: nowhere,
  graphqlUrl: `${nowhere}/graphql`,
});

/** A delete that is refused so often. */
function refusing(...errors: readonly Error[]) {
  const refusals = errors.values();
  return async () => {
    const { value } = refusals.next();
    if (value !== undefined) throw value;
    return "deleted";
  };
}

test("what is still in use is tried again until it is free, and the run says so", async () => {
  const told: string[] = [];
  const log = { ...context.log, status: (what: string, text: string) => told.push(`${what}: ${text}`) };
  const remove = refusing(new BadRequestError("in use", { status: 400 }), new ConflictError("in use", { status: 409 }));
  expect(await whileInUse({ ...context, log }, "Template t", remove)).toBe("deleted");
  expect(told).toEqual([
    "Template t: still in use; trying again for 180 s",
    expect.stringMatching(/^Template t: still in use; trying again for 1(80|79) s$/),
  ]);
});

test("another refusal is an error at once", async () => {
  const error = new PermissionError("not yours", { status: 403 });
  await expect(whileInUse(context, "Template t", refusing(error))).rejects.toBe(error);
});

test("an interrupt ends the wait", async () => {
  const signal = AbortSignal.abort();
  const remove = refusing(new BadRequestError("in use", { status: 400 }));
  await expect(whileInUse({ ...context, signal }, "Template t", remove)).rejects.toThrow(InterruptedError);
});
