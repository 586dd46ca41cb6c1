/* What Stryker mutates, and the tests that have to notice: those in process, which start no engine. */
"use strict";

const client = (...names) => names.map((name) => `tests/client/${name}.test.ts`);
const lifecycle = (...names) => names.map((name) => `tests/lifecycle/${name}.test.ts`);
const resources = (...names) => names.map((name) => `tests/resources/${name}.test.ts`);

module.exports = {
  redact: {
    mutate: ["common/redact.ts"],
    tests: client("redaction"),
  },
  retry: {
    mutate: ["client/outcomes/retry.ts"],
    tests: client("retries", "values"),
  },
  failures: {
    mutate: ["client/outcomes/failures.ts"],
    tests: client("failures"),
  },
  create: {
    mutate: ["client/outcomes/create.ts"],
    tests: client("creator"),
  },
  deleteEndpoint: {
    mutate: ["provider/resources/serverless/deleteEndpoint.ts"],
    tests: resources("deleteEndpoint"),
  },
  fleetParts: {
    mutate: ["provider/resources/fleet/{members,memberOptions,plan,pool}.ts"],
    tests: [...resources("fleetParts"), ...lifecycle("serverlessFleet")],
  },
  fleet: {
    mutate: ["provider/resources/fleet/fleetLifecycle.ts"],
    tests: lifecycle("serverlessFleet", "serverlessFleetFaults"),
  },
  members: {
    mutate: ["provider/resources/fleet/memberLifecycle.ts"],
    tests: lifecycle("endpointsThroughRest", "serverlessFleet", "serverlessFleetFaults"),
  },
  holders: {
    mutate: ["provider/memory/holders.ts"],
    tests: lifecycle("holders"),
  },
  wait: {
    mutate: ["provider/lifecycle/make/wait.ts"],
    tests: lifecycle("wait"),
  },
  diff: {
    mutate: ["provider/lifecycle/plan/{diff,changeOptions}.ts", "provider/lifecycle/fields/values.ts"],
    tests: [...lifecycle("diff", "changeOptions"), ...resources("fleetParts")],
  },
  notes: {
    mutate: ["provider/lifecycle/make/{names,namedCreates,remains}.ts", "provider/memory/createJournal.ts"],
    tests: lifecycle("names", "namedCreates", "operations", "remains"),
  },
  unknown: {
    mutate: ["provider/lifecycle/fields/unknown.ts"],
    tests: lifecycle("unknown"),
  },
  unread: {
    mutate: ["provider/lifecycle/fields/unread.ts"],
    tests: lifecycle("unread"),
  },
  leftovers: {
    mutate: ["provider/lifecycle/state/partlyMade.ts", "provider/memory/woken.ts"],
    tests: lifecycle("partlyMade", "remains"),
  },
  states: {
    mutate: [
      "provider/lifecycle/plan/{adoption,comparison}.ts",
      "provider/lifecycle/{fields/declared,readings,state/states}.ts",
    ],
    tests: lifecycle("states"),
  },
  checks: {
    mutate: ["provider/lifecycle/{check/catalogChecks,check/check,check/references,fields/secretReferences}.ts"],
    tests: [...lifecycle("check"), ...resources("catalog", "pod", "rules", "secret")],
  },
  make: {
    mutate: ["provider/lifecycle/{make/make,plan/plan,lifecycle}.ts"],
    tests: [
      ...lifecycle("check", "filledIn", "gone", "holders", "names", "operations", "partlyMade", "plans", "remains"),
      ...resources("drift", "networkVolume", "pod", "verify"),
    ],
  },
};
