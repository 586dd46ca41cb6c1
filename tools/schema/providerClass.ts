import { type Setting, variables } from "../../client";
import { configuration, settingNames } from "./configuration";
import { comment, HEADER } from "./typescript";

export const PROVIDER = {
  description: `An account and the addresses of its service. Pass it to a resource, a component or a function as \`provider\`. The plugin
then manages these resources, instead of the process for dynamic ones. They can be imported, and one program can use several
accounts.`,
  defaults:
    "A setting that is left out comes from the environment. The stack's configuration applies to the default provider only.",
  example: `import * as pulumi from "@pulumi/pulumi";
import { NetworkVolume, Provider } from "pulumi-computecloud";

const config = new pulumi.Config();
const staging = new Provider("staging", { apiKey: config.requireSecret("stagingKey"), cloud: "runpod" });
new NetworkVolume("models", { size: 100, dataCenter: "EU-RO-1" }, { provider: staging });`,
};

/** What users read about an argument of the provider: its description, and where a value comes from if it is left out. */
export function providerArgument(name: Setting): string {
  const { description, secret } = configuration[name];
  return `${description}${secret ? " Always a secret." : ""} Default: \`${variables[name]}\`.`;
}

/** The class with which a program declares an account of its own choice. */
export function providerClass(): string {
  const members = settingNames.map((name) => {
    const { type } = configuration[name];
    return `${comment(providerArgument(name), "  ")}  ${name}?: Input<${type === "strings" ? "Input<string>[]" : type}>;\n`;
  });
  return `${HEADER}import type { Input, ResourceOptions } from "@pulumi/pulumi";
import { ComputeCloudProvider } from "../internal/explicitProvider";

${comment(PROVIDER.defaults)}export interface ProviderArgs {
${members.join("")}}

${comment(`${PROVIDER.description}

@example Two accounts
\`\`\`ts
${PROVIDER.example}
\`\`\``)}export class Provider extends ComputeCloudProvider {
  constructor(name: string, args: ProviderArgs = {}, options?: ResourceOptions) {
    super(name, { ...args }, options);
  }
}
`;
}
