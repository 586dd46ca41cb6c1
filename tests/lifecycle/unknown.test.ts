import { expect, test } from "@jest/globals";
import { unknownValue } from "@pulumi/pulumi/runtime/rpc";
import { UNKNOWN } from "../../provider/lifecycle/unknown";

test("the text for a value not known yet is the engine's", () => {
  expect(UNKNOWN).toBe(unknownValue);
});
