import { describe, expect, test } from "@jest/globals";
import { checkInputs } from "../../provider/lifecycle/check";
import { UNKNOWN } from "../../provider/lifecycle/unknown";
import { ecrDelegation } from "../../provider/resources/ecrDelegation";
import { serverlessEndpoint } from "../../provider/resources/serverlessEndpoint";
import { template } from "../../provider/resources/template";

const endpoint = { name: "chat", templateId: "t1", gpuIds: "ADA_24" };

describe("checking arguments", () => {
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
    const { inputs, failures } = checkInputs(template, {
      name: "t",
      image: "i",
      registry: null,
      mounts: { persistent: null },
    });
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ mounts: {}, args: "" });
    expect(inputs).not.toHaveProperty("registry");
  });

  test.each([
    [
      "a missing argument",
      { name: "chat", gpuIds: "ADA_24" },
      "templateId",
      "is required: give a serverless Template as template, or its id",
    ],
    [
      "a value outside its limits",
      { ...endpoint, idleTimeout: 0 },
      "idleTimeout",
      "Too small: expected number to be >=1",
    ],
    [
      "a value that is none of the allowed",
      { ...endpoint, scalerType: "QUEUE_DELAI" },
      "scalerType",
      'must be one of "QUEUE_DELAY", "REQUEST_COUNT"; did you mean "QUEUE_DELAY"?',
    ],
    [
      "a misspelt argument",
      { ...endpoint, workerMax: 2 },
      "workerMax",
      'is no argument here; did you mean "workersMax"?',
    ],
    [
      "more workers at least than at most",
      { ...endpoint, workersMin: 4 },
      "workersMin",
      "must not exceed workersMax (3)",
    ],
    [
      "a queue delay on a load balancer",
      { ...endpoint, type: "LB" },
      "scalerType",
      'must be "REQUEST_COUNT" for a load balancing endpoint (type "LB")',
    ],
  ])("names the property and the way out for %s", (_, given, property, reason) => {
    expect(checkInputs(serverlessEndpoint, given).failures).toEqual([{ property, reason }]);
  });

  test("names a nested property by its path", () => {
    const given = {
      name: "t",
      image: "i",
      mounts: { persistent: { size: 5, path: "/data" } },
      ports: ["22/tcp", "53/udp"],
    };
    expect(checkInputs(template, given).failures.map(({ property }) => property)).toEqual([
      "ports.1",
      "mounts.persistent.size",
    ]);
  });

  test("lets unknowns pass at any depth and still finds what is wrong beside them", () => {
    const given = { ...endpoint, templateId: UNKNOWN, networkVolumeId: UNKNOWN, workersMin: UNKNOWN, idleTimeout: -1 };
    expect(checkInputs(serverlessEndpoint, given).failures.map(({ property }) => property)).toEqual(["idleTimeout"]);
    expect(checkInputs(serverlessEndpoint, { ...endpoint, workersMin: 5, workersMax: UNKNOWN }).failures).toEqual([]);
    const nested = { name: UNKNOWN, image: "i", env: { A: UNKNOWN }, ports: [UNKNOWN], mounts: UNKNOWN };
    expect(checkInputs(template, nested)).toMatchObject({ failures: [], inputs: nested });
  });
});

test("a name is left out where the service takes none and none is given", () => {
  const resource = "arn:aws:ecr:eu-west-1:123456789012:repository/images";
  expect(checkInputs(ecrDelegation, { resource }).inputs).toEqual({ resource });
});
