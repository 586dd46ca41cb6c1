import * as pulumi from "@pulumi/pulumi";
import { parseJson } from "../common/json";
import { GatedEndpoint, type GatedEndpointArgs, type MeasuringGateArgs } from "./gatedEndpoint";
import { version } from "./internal/findPlugin";
import { hostNatively } from "./internal/host";

/*
 * The plugin starts this program when a program in another language declares a component. The last argument is the
 * engine's address. The component's class is the one that programs in TypeScript use.
 */

hostNatively();
// Standard input closes when the plugin ends, even if it was killed.
process.stdin.once("end", () => process.exit(0)).resume();
void import("../provider/engine/plugin/peer.js").then(({ refuseOtherUsers }) => {
  refuseOtherUsers();
  return pulumi.provider.main({ version, construct }, process.argv.slice(-1));
});

async function construct(
  name: string,
  type: string,
  inputs: pulumi.Inputs,
  options: pulumi.ComponentResourceOptions,
): Promise<pulumi.provider.ConstructResult> {
  if (type !== "computecloud:index:GatedEndpoint") throw new TypeError(`there is no component ${type}`);
  const component = new GatedEndpoint(name, gatedEndpointArgs(name, inputs), options);
  const { urn, endpointId, requestUrls, revision, candidateId, measured, measuredRequests } = component;
  const common = { name: component.name, type: component.type };
  return { urn, state: { endpointId, ...common, requestUrls, revision, candidateId, measured, measuredRequests } };
}

function gatedEndpointArgs(name: string, inputs: pulumi.Inputs): GatedEndpointArgs {
  const { image, scaling, gate, verify, ...others } = inputs;
  const proof = (argument: string, raw: unknown): GatedEndpointArgs["gate"] => {
    const where = `GatedEndpoint "${name}": ${argument}`;
    const text = (member: string, value: unknown, parse = parsed) =>
      value === undefined ? value : pulumi.output(value).apply((text) => parse(`${where}.${member}`, text));
    // Which resource a gate is has to be known, so a request is not taken as an output.
    const { input, expect, request, ...plan } = pulumi.Output.isInstance(raw) ? lifted(where, raw) : Object(raw);
    const job = { ...plan, input: text("input", input), expect: text("expect", expect) };
    if (request === undefined) return job;
    // A body that is not JSON is sent as it is.
    const body = text("request.body", request.body, (_, text) =>
      typeof text === "string" ? (parseJson(text) ?? text) : text,
    );
    const parts = { body, expect: text("request.expect", request.expect) };
    return { ...job, request: { ...request, ...parts } };
  };
  const isPlain = verify === undefined || typeof verify === "boolean";
  return { ...others, image, scaling, gate: proof("gate", gate), verify: isPlain ? verify : proof("verify", verify) };
}

const MEMBERS: Readonly<Record<Exclude<keyof MeasuringGateArgs, "request">, true>> = {
  input: true,
  expect: true,
  timeout: true,
  retries: true,
  jobs: true,
  concurrency: true,
  coldStart: true,
  delay: true,
  execution: true,
  gpu: true,
  cost: true,
  notSlowerThan: true,
  liveEndpointId: true,
};

/** The members of a gate that is an output as a whole, each as an output of its own. */
function lifted(where: string, gateOutput: pulumi.Output<unknown>): pulumi.Inputs {
  const member = (name: string) =>
    gateOutput.apply((gate) => {
      if (gate !== null && typeof gate === "object") {
        if (Reflect.get(gate, "request") === undefined) return Reflect.get(gate, name);
        throw new pulumi.RunError(
          `${where} is an output with a request: give a plain value, whose members may be outputs.`,
        );
      }
      throw new pulumi.RunError(`${where} is an output of ${typeof gate}: give a plain value.`);
    });
  return Object.fromEntries(Object.keys(MEMBERS).map((name) => [name, member(name)]));
}

/**
 * Parses a member of a gate that is JSON. It arrives as a text, as in a SmokeJob, because objects lose their nulls on the
 * way.
 */
function parsed(where: string, text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new pulumi.RunError(`${where} is not JSON: give a JSON text, such as json.dumps({"text": "ping"}).`);
  }
}
