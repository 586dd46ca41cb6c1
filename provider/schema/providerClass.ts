import { type Setting, variables } from "../client/settings";
import { configuration, settingNames } from "./configuration";
import { HEADER } from "./header";
import { comment } from "./typescript";

export const PROVIDER = {
  description: `An account, and the service that it is with. Given to a resource, a component or a function as \`provider\`. Its
resources are made by the plugin instead of the program's own process: they can be imported, and there may be several
accounts in one program.`,
  defaults: "What is left out comes from the environment; the stack's configuration is the default provider's alone.",
  example: `import * as pulumi from "@pulumi/pulumi";
import { NetworkVolume, Provider } from "pulumi-computecloud";

const config = new pulumi.Config();
const staging = new Provider("staging", { apiKey: config.requireSecret("stagingKey"), cloud: "runpod" });
new NetworkVolume("models", { size: 100, dataCenter: "EU-RO-1" }, { provider: staging });`,
};

/** What an argument of the provider is, and where its value comes from when it is left out. */
export function providerArgument(name: Setting): string {
  const { description, secret } = configuration[name];
  return `${description}${secret ? " Always a secret." : ""} Default: \`${variables[name]}\`.`;
}

/** The class by which a program names an account of its own choice. */
export function providerClass(): string {
  const members = settingNames.map((name) => {
    const { type } = configuration[name];
    return `${comment(providerArgument(name), "  ")}  ${name}?: Input<${type === "strings" ? "Input<string>[]" : type}>;\n`;
  });
  return `${HEADER}import type { Input, ResourceOptions } from "@pulumi/pulumi";
import { ComputeCloudProvider } from "./internal/explicitProvider";

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
