import { expect, test } from "@jest/globals";
import { namesPlugin } from "../../sdk/internal/findPlugin";

const quickStart = "{ name: pulumi-nodejs, path: node_modules/pulumi-computecloud/sdk/quick-start }";

test.each([
  ["plugins:\n  providers:\n    - name: computecloud\n      path: ../provider/bin\n"],
  ["plugins:\n  providers:\n  - path: ../provider/bin\n    name: 'computecloud'"],
  [`plugins: { providers: [${quickStart}, { name: computecloud, path: bin }] }`],
  ['{"plugins":{"providers":[{"name":"computecloud","path":"bin"}]}}'],
  ["packages:\n  computecloud: computecloud@0.1.0\n"],
  ["packages:\n  random: random@4.0.0\n  computecloud:\n    source: ./provider\n"],
  ['{ "packages": { "computecloud": "computecloud@0.1.0" } }'],
])("the project has the plugin: %j", (project) => expect(namesPlugin(project)).toBe(true));

test.each([
  ["name: computecloud\nruntime: nodejs\n"],
  [`plugins: { providers: [${quickStart}] }\n`],
  [`plugins: { providers: [${quickStart}] }\nname: computecloud\n`],
  ["plugins:\n  providers:\n    - name: computecloud-fake\n      path: ../computecloud\n"],
  ["packages:\n  random: random@4.0.0\nconfig:\n  computecloud:cloud: runpod\n"],
])("the project has another plugin, or none: %j", (project) => expect(namesPlugin(project)).toBe(false));
