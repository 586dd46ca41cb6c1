import { describe, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import { isImageName } from "../../emulator/model/images";
import { hideUnmarked } from "../../provider/engine/secrecy";
import { checkInputs } from "../../provider/lifecycle/check/check";
import { UNKNOWN } from "../../provider/lifecycle/fields/unknown";
import { differences, refreshed } from "../../provider/lifecycle/plan/diff";
import { definitions } from "../../provider/resources";

const { cluster, pod, serverlessContainer, serverlessEndpoint, serverlessFleet, smokeJob, template } = definitions;

const endpoint = { name: "chat", templateId: "t1", gpuIds: "ADA_24" };

describe("checking arguments", () => {
  // finds mutant output-as-text
  test.each<[string, string, RegExp]>([
    ["JavaScript's", `a/b:${pulumi.output("1")}`, /use pulumi\.interpolate/],
    ["JavaScript's JSON", JSON.stringify({ id: pulumi.output("1") }), /use pulumi\.interpolate/],
    ["Python's", "Calling __str__ on an Output[T] is not supported.\n\nTo get the value", /use pulumi\.Output\.format/],
    ["Go's", "a/b:{0xc0001a2b40}", /use pulumi\.Sprintf/],
    ["Go's %s", "a/b:{%!s(*internal.OutputState=0xc0001a2b40)}", /use pulumi\.Sprintf/],
  ])("refuses the text of an output by its property, and names the language's own word: %s", (_, text, wayOut) => {
    const { failures } = checkInputs(template, { name: "t", image: "a:1", env: { URL: text } });
    expect(failures).toEqual([{ property: "env.URL", reason: expect.stringMatching(wayOut) }]);
    const fleet = checkInputs(serverlessFleet, { endpoints: { chat: { image: text } } });
    expect(fleet.failures.map(({ property }) => property)).toEqual(["endpoints.chat.image"]);
  });

  test.each([
    ["chat", true],
    ["localhost:5000/a__b/c-d.e:V1_2.3", true],
    [`Registry.Example.com/a/b@sha256:${"0a".repeat(32)}`, true],
    [`ghcr.io/a/b:1@sha256:${"0a".repeat(32)}`, true],
    ["a/B:1", false],
    [" a/b:1", false],
    ["a/b:", false],
    ["https://a/b:1", false],
    ["a/b:1 --flag", false],
    ["a//b", false],
    ["a/b:[object Object]", false],
    ["a/b:$TAG", false],
  ])("takes an image name that a registry can have, as the emulator does: %s", (image, isName) => {
    expect(checkInputs(template, { name: "t", image }).failures.length).toBe(isName ? 0 : 1);
    expect(isImageName(image)).toBe(isName);
  });

  test("fills every documented default", () => {
    const { inputs, failures } = checkInputs(serverlessEndpoint, endpoint);
    expect(failures).toEqual([]);
    expect(inputs).toEqual({
      ...endpoint,
      gpuCount: 1,
      type: "QB",
      locations: "",
      idleTimeout: 10,
      scalerType: "QUEUE_DELAY",
      scalerValue: 4,
      workersMin: 0,
    });
  });

  test("takes null as left out, at any depth", () => {
    const args = { name: "t", image: "i" };
    const { inputs, failures } = checkInputs(template, { ...args, registry: null, mounts: { persistent: null } });
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ mounts: {}, args: "" });
    expect(inputs).not.toHaveProperty("registry");
  });

  test.each([
    [pod, { gpu: "NVIDIA L4" }, "gpu", 'must be an object, such as { id: "NVIDIA L4" }'],
    [pod, { ports: [8888] }, "ports.0", 'must be "port/http" or "port/tcp", such as "8888/http"'],
    [pod, { ports: "8888/http" }, "ports", 'must be a list, such as ["8888/http"]'],
    [
      pod,
      { disk: Number.NaN },
      "disk",
      "must be a number, not NaN, which comes of computing with a text or with nothing",
    ],
    [serverlessContainer, { gpu: "L4" }, "gpu", 'must be an object with pools, such as { pools: ["AMPERE_24"] }'],
    [serverlessContainer, { gpu: ["ADA_24"] }, "gpu", 'must be an object with pools, such as { pools: ["ADA_24"] }'],
    [serverlessEndpoint, { gpuIds: ["ADA_24", "-NVIDIA L4"] }, "gpuIds", 'must be one string: "ADA_24,-NVIDIA L4"'],
    [
      serverlessEndpoint,
      { gpuIds: "ADA_24;AMPERE_24" },
      "gpuIds",
      'must have commas between its parts: "ADA_24,AMPERE_24"',
    ],
    [
      pod,
      { command: ["python", "a.py"] },
      "command",
      "is not an argument here; give its words as cmd, or as entrypoint and cmd, or one shell line as args",
    ],
    [pod, { env: { "": "x" } }, "env", 'has the key "", which must not be empty'],
    [
      serverlessContainer,
      { scaling: { type: "QUEUE_DELAI" } },
      "scaling.type",
      'must be one of "QUEUE_DELAY", "REQUEST_COUNT"; did you mean "QUEUE_DELAY"?',
    ],
    [
      pod,
      { image: "https://example.com/chat:1" },
      "image",
      'must be an image\'s name, without "https://": "registry.example.com/chat:1.4"',
    ],
    [smokeJob, { input: { a: 1 } }, "input", "must be a JSON text: json.dumps({…}) in Python, fn::toJSON in YAML"],
    [
      smokeJob,
      { expect: { output: 1 } },
      "expect",
      "must be a JSON text: json.dumps({…}) in Python, fn::toJSON in YAML; its members are output, schema",
    ],
    [smokeJob, { expect: '{"output":1,"outputs":1}' }, "expect", "does not take outputs"],
    [
      cluster,
      { gpu: { id: "NVIDIA L4" } },
      "gpu",
      "is not an argument here; it is within compute.gpuTypeId and compute.gpuCountPerPod",
    ],
  ])("shows the right form of what people write otherwise: %#", (definition, args, property, reason) =>
    expect(checkInputs(definition, args).failures).toContainEqual({ property, reason }),
  );

  test("lets unknowns pass at any depth and still finds what is wrong beside them", () => {
    const args = { ...endpoint, templateId: UNKNOWN, networkVolumeId: UNKNOWN, workersMin: UNKNOWN, idleTimeout: -1 };
    expect(checkInputs(serverlessEndpoint, args).failures.map(({ property }) => property)).toEqual(["idleTimeout"]);
    expect(checkInputs(serverlessEndpoint, { ...endpoint, workersMin: 5, workersMax: UNKNOWN }).failures).toEqual([]);
    const nested = { name: UNKNOWN, image: "i", env: { A: UNKNOWN }, ports: [UNKNOWN], mounts: UNKNOWN };
    expect(checkInputs(template, nested)).toMatchObject({ failures: [], inputs: nested });
  });
});

describe("a name that every object of JavaScript has", () => {
  const names = ["constructor", "toString", "hasOwnProperty", "valueOf"];
  const objectWith = (name: string, value: unknown) => ({ [name]: value });

  test.each(Object.values(definitions).map(({ kind, inputs }) => [kind, inputs] as const))(
    "is no argument of %s, at any depth",
    (_, inputs: z.ZodObject) => {
      for (const name of names) {
        const { failures } = checkInputs({ inputs }, objectWith(name, "x"));
        expect(failures).toContainEqual({ property: name, reason: expect.stringMatching(/argument here/) });
      }
      const nested = { mounts: objectWith("toString", 1), gpu: objectWith("constructor", 1) };
      const paths = new Set(checkInputs({ inputs }, nested).failures.map(({ property }) => property));
      // Of a SmokeJob `gpu` is a list.
      const expectedPaths = { mounts: "mounts.toString", gpu: "jobs" in inputs.shape ? "none" : "gpu.constructor" };
      for (const [key, path] of Object.entries(expectedPaths))
        expect(paths.has(path)).toBe(key in inputs.shape && path !== "none");
    },
  );

  test.each(names)("may be a variable's: %s", (name) => {
    const env = objectWith(name, "a");
    const { inputs, failures } = checkInputs(template, { name: "t", image: "i", env });
    expect(failures).toEqual([]);
    const old = { ...inputs, env: {} };
    expect(differences(template.inputs, old, inputs).map(({ path }) => path)).toEqual(["env"]);
    // What the platform added under that name was not declared.
    expect(refreshed(template.inputs, old, { ...inputs, env })).toEqual(old);
    // No part of the arguments is marked by what every object has.
    const fleet = (variables: object) => ({ endpoints: { chat: { env: variables } } });
    expect(hideUnmarked(serverlessFleet.inputs, fleet(objectWith(name, "s3cret")), fleet({}))).toEqual(
      fleet(objectWith(name, "[secret]")),
    );
  });
});

test("a name is left out where the service takes none and none is given", () => {
  const resource = "arn:aws:ecr:eu-west-1:123456789012:repository/images";
  expect(checkInputs(definitions.ecrDelegation, { resource }).inputs).toEqual({ resource });
});
