import { expect, test } from "@jest/globals";
import { namesPlugin } from "../../sdk/internal/findPlugin";

const quickStart = "{ name: pulumi-nodejs, path: node_modules/pulumi-computecloud/sdk/quick-start }";

test.each([
  ["plugins:\n  providers:\n    - name: computecloud\n      path: ../provider/bin\n", true],
  ["plugins:\n  providers:\n  - path: ../provider/bin\n    name: 'computecloud'", true],
  [`plugins: { providers: [${quickStart}, { name: computecloud, path: bin }] }`, true],
  ['{"plugins":{"providers":[{"name":"computecloud","path":"bin"}]}}', true],
  ["packages:\n  computecloud: computecloud@0.1.0\n", true],
  ["packages:\n  random: random@4.0.0\n  computecloud:\n    source: ./provider\n", true],
  ['{ "packages": { "computecloud": "computecloud@0.1.0" } }', true],
  ["name: computecloud\nruntime: nodejs\n", false],
  [`plugins: { providers: [${quickStart}] }\n`, false],
  [`plugins: { providers: [${quickStart}] }\nname: computecloud\n`, false],
  ["plugins:\n  providers:\n    - name: computecloud-fake\n      path: ../computecloud\n", false],
  ["packages:\n  random: random@4.0.0\nconfig:\n  computecloud:cloud: runpod\n", false],
])("the project has the plugin, and not another or none: %j: %s", (project, isNamed) =>
  expect(namesPlugin(project)).toBe(isNamed),
);
