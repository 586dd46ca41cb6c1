import { describe, expect, test } from "@jest/globals";
import { hideUnmarked } from "../../provider/engine/secrecy";
import { serverlessFleet } from "../../provider/resources/fleet/serverlessFleet";
import { template } from "../../provider/resources/serverless/template";

const fleet = (endpoints: object) => ({ endpoints });
const hidden = (values: object, marked: object) => hideUnmarked(serverlessFleet.inputs, { ...values }, { ...marked });

describe("of a state that the engine encrypts by the arguments", () => {
  test("what the arguments hold stays, whatever its value", () => {
    const state = fleet({ chat: { env: { TOKEN: "old", MODE: "a" }, gpuIds: "ADA_24" } });
    expect(hidden(state, fleet({ chat: { env: { TOKEN: "new", MODE: "a" } } }))).toEqual(state);
  });

  test("a member that is no argument any more keeps the names of its variables, and all that is not a secret", () => {
    const state = { ...fleet({ chat: { env: { TOKEN: "a" }, gpuIds: "ADA_24" } }), ids: { chat: "id" } };
    const masked = { ...fleet({ chat: { env: { TOKEN: "[secret]" }, gpuIds: "ADA_24" } }), ids: { chat: "id" } };
    expect(hidden(state, fleet({}))).toEqual(masked);
    // A refresh goes by the state: what was hidden stays so when it is read.
    expect(hidden(state, masked)).toEqual(masked);
  });

  // finds mutant unmarked-secrets-recorded
  test("a variable that a member has lost is hidden", () => {
    const state = fleet({ chat: { env: { TOKEN: "a", OLD: "b" } } });
    const masked = fleet({ chat: { env: { TOKEN: "a", OLD: "[secret]" } } });
    expect(hidden(state, fleet({ chat: { env: { TOKEN: "a" } } }))).toEqual(masked);
  });

  test("so is an argument that the program had made a secret", () => {
    const secret = { args: "--key a", gpuIds: "ADA_24", __secrets: ["args"] };
    const masked = { ...secret, args: "[secret]" };
    expect(hidden(fleet({ chat: secret }), fleet({}))).toEqual(fleet({ chat: masked }));
    expect(hidden(fleet({ chat: secret }), fleet({ chat: { args: "" } }))).toEqual(fleet({ chat: masked }));
    expect(hidden(fleet({ chat: secret }), fleet({ chat: secret }))).toEqual(fleet({ chat: secret }));
    expect(hidden(fleet({ chat: secret }), fleet({ chat: masked }))).toEqual(fleet({ chat: masked }));
  });

  test("a variable that the arguments lack is hidden, though the class marks the output", () => {
    const state = { env: { TOKEN: "a", ADDED: "b" }, image: "a:1" };
    const masked = { ...state, env: { TOKEN: "a", ADDED: "[secret]" } };
    expect(hideUnmarked(template.inputs, state, { env: { TOKEN: "b" } })).toEqual(masked);
  });
});
