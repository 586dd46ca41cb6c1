/*
 * What Stryker mutates, room by room, the tests that have to notice (those in process, which start no engine), and the share of
 * mutants in percent that must be killed: two less than was measured (survivors.md), so that a new survivor in a room fails it.
 */
"use strict";

const client = (...names) => names.map((name) => `tests/client/${name}.test.ts`);
const lifecycle = (...names) => names.map((name) => `tests/lifecycle/${name}.test.ts`);
const resources = (...names) => names.map((name) => `tests/resources/${name}.test.ts`);

module.exports = {
  redact: { atLeast: 87, mutate: ["common/redact.ts"], tests: client("redaction") },
  retry: { atLeast: 96, mutate: ["client/outcomes/retry.ts"], tests: client("retries", "values") },
  failures: { atLeast: 96, mutate: ["client/outcomes/failures.ts"], tests: client("failures") },
  create: { atLeast: 87, mutate: ["client/outcomes/create.ts"], tests: client("creator") },
  deleteEndpoint: {
    atLeast: 94,
    mutate: ["provider/resources/serverless/deleteEndpoint.ts"],
    tests: resources("deleteEndpoint"),
  },
  fleetParts: {
    atLeast: 93,
    mutate: ["provider/resources/fleet/{members,memberOptions,plan,pool}.ts"],
    tests: [...resources("fleetParts"), ...lifecycle("serverlessFleet")],
  },
  fleet: {
    atLeast: 89,
    mutate: ["provider/resources/fleet/fleetLifecycle.ts"],
    tests: lifecycle("serverlessFleet", "serverlessFleetFaults"),
  },
  members: {
    atLeast: 88,
    mutate: ["provider/resources/fleet/fleetMember.ts"],
    tests: lifecycle("endpointsThroughRest", "serverlessFleet", "serverlessFleetFaults"),
  },
  ledger: {
    atLeast: 85,
    mutate: ["provider/memory/{changes,creates,ledger,pages,programIds,runPages,workerMaximums}.ts"],
    tests: [...lifecycle("ledger", "holders", "killed", "operations"), ...resources("orphans", "verify")],
  },
  wait: { atLeast: 86, mutate: ["provider/lifecycle/make/wait.ts"], tests: lifecycle("wait") },
  diff: {
    atLeast: 96,
    mutate: ["provider/lifecycle/plan/{diff,changeOptions}.ts", "provider/lifecycle/fields/values.ts"],
    tests: [...lifecycle("diff"), ...resources("fleetParts")],
  },
  notes: {
    atLeast: 85,
    mutate: ["provider/lifecycle/make/{names,namedCreates,leftovers}.ts"],
    tests: lifecycle("names", "killed", "operations"),
  },
  unknown: { atLeast: 96, mutate: ["provider/lifecycle/fields/unknown.ts"], tests: lifecycle("unknown") },
  unread: { atLeast: 97, mutate: ["provider/lifecycle/fields/unread.ts"], tests: lifecycle("unread") },
  partlyMade: { atLeast: 98, mutate: ["provider/lifecycle/state/partlyMade.ts"], tests: lifecycle("operations") },
  states: {
    atLeast: 96,
    mutate: [
      "provider/lifecycle/plan/{adoption,comparison}.ts",
      "provider/lifecycle/{fields/declared,readings,state/states}.ts",
    ],
    tests: lifecycle("states"),
  },
  checks: {
    atLeast: 85,
    mutate: ["provider/{catalog/*,lifecycle/check/check}.ts"],
    tests: [...lifecycle("check"), ...resources("catalog", "pod", "rules", "secret")],
  },
  make: {
    atLeast: 93,
    mutate: ["provider/lifecycle/{make/make,plan/plan,lifecycle}.ts"],
    tests: [
      ...lifecycle("check", "filledIn", "holders", "names", "operations", "plan"),
      ...resources("drift", "whileInUse", "pod", "verify"),
    ],
  },
};
