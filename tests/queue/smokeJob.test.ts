import { describe, expect, test } from "@jest/globals";
import { checkInputs } from "../../provider/lifecycle/check/check";
import { controlsOf } from "../../provider/lifecycle/fields/fields";
import { UNKNOWN } from "../../provider/lifecycle/fields/unknown";
import { smokeJob } from "../../provider/resources/serverless/smokeJob";

const valid = { endpointId: "abc", input: '{"prompt":"hi"}' };
const reasons = (given: Record<string, unknown>) => checkInputs(smokeJob, given).failures;

describe("the arguments of a smoke job", () => {
  test("are complete with their defaults", () => {
    const { inputs, failures } = checkInputs(smokeJob, valid);
    expect(failures).toEqual([]);
    expect(inputs).toEqual(valid);
    expect(controlsOf(smokeJob.inputs, inputs)).toEqual({ timeout: "5m", retries: 0, secretOutput: false });
  });

  test.each([
    { given: { input: "{}" }, property: "input", reason: /is empty/ },
    { given: { input: "null" }, property: "input", reason: /is empty/ },
    { given: { input: "not json" }, property: "input", reason: /is not JSON/ },
    { given: { expect: "{}" }, property: "expect", reason: /names neither output nor schema/ },
    { given: { expect: '{"text":"hi"}' }, property: "expect", reason: /text/ },
    { given: { expect: '{"schema":{"type":"wrong"}}' }, property: "expect", reason: /is not a JSON Schema/ },
    { given: { timeout: "5 minutes" }, property: "timeout", reason: /must be a duration/ },
    { given: { retries: -1 }, property: "retries", reason: /0/ },
  ])("that can't work are refused before anything runs: $given", ({ given, property, reason }) => {
    expect(reasons({ ...valid, ...given })).toEqual([{ property, reason: expect.stringMatching(reason) }]);
  });

  test("may be unknown in a preview", () => {
    const given = {
      endpointId: UNKNOWN,
      input: UNKNOWN,
      expect: UNKNOWN,
      triggers: [UNKNOWN],
      endpointRevision: UNKNOWN,
    };
    expect(reasons(given)).toEqual([]);
  });
});
