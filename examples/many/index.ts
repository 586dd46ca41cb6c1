import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { type FleetEndpointArgs, Registry, ServerlessFleet } from "pulumi-computecloud";

/** What an environment, a region or a model says of the endpoints that it has a part in. */
type Settings = Partial<FleetEndpointArgs>;
type Named = Readonly<Record<string, Settings>>;

interface Configuration {
  readonly environments: Named;
  readonly regions: Named;
  readonly models: Named;
  /** By environment and endpoint. */
  readonly exceptions: Readonly<Record<string, Named>>;
}

const { environments, regions, models, exceptions }: Configuration = JSON.parse(
  readFileSync(join(__dirname, "models.json"), "utf8"),
);

const config = new pulumi.Config("many");
const registry = new Registry("images", {
  username: "ci",
  password: config.getSecret("registryPassword") ?? pulumi.secret("change-me"),
});

/** Every model in every region, as one environment has it. */
function endpointsOf(environment: string): Record<string, FleetEndpointArgs> {
  const pairs = Object.entries(models).flatMap(([model, ofModel]) =>
    Object.entries(regions).map(([region, ofRegion]) => {
      const name = `${model}-${region}`;
      return [name, { ...ofModel, ...ofRegion, ...exceptions[environment]?.[name] }] as const;
    }),
  );
  return Object.fromEntries(pairs);
}

// One fleet an environment: a mistake in staging holds nothing up in production.
const fleets = Object.entries(environments).map(([name, settings]) => {
  const defaults = { ...settings, registry: registry.id };
  return { name, fleet: new ServerlessFleet(name, { defaults, endpoints: endpointsOf(name) }) };
});

export const endpointIds = Object.fromEntries(fleets.map(({ name, fleet }) => [name, fleet.ids]));
export const chat = Object.fromEntries(
  fleets.map(({ name, fleet }) => [name, fleet.endpoint("chat-8b-eu").requestUrls.run]),
);
