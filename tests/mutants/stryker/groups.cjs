/* What Stryker mutates, and the tests that have to notice: those in process, which start no engine. */
"use strict";

const client = (...names) => names.map((name) => `tests/client/${name}.test.ts`);
const lifecycle = (...names) => names.map((name) => `tests/lifecycle/${name}.test.ts`);
const resources = (...names) => names.map((name) => `tests/resources/${name}.test.ts`);

module.exports = {
  redact: {
    mutate: ["provider/client/text/redact.ts"],
    tests: client("redaction"),
  },
  retry: {
    mutate: ["provider/client/outcomes/retry.ts"],
    tests: client("retries", "values"),
  },
  failures: {
    mutate: ["provider/client/outcomes/failures.ts"],
    tests: client("failures"),
  },
  create: {
    mutate: ["provider/client/outcomes/create.ts"],
    tests: client("adoption", "creates"),
  },
  deleteEndpoint: {
    mutate: ["provider/resources/deleteEndpoint.ts"],
    tests: resources("deleteEndpoint"),
  },
  fleet: {
    mutate: ["provider/resources/fleet/*.ts"],
    tests: lifecycle("serverlessFleet", "holders"),
  },
  holders: {
    mutate: ["provider/lifecycle/holders.ts"],
    tests: lifecycle("holders"),
  },
  names: {
    mutate: ["provider/lifecycle/{names,namedCreates,createJournal,notes}.ts"],
    tests: lifecycle("names", "remains"),
  },
};
