import { getMonitor } from "@pulumi/pulumi/runtime/settings";

/** A request of the engine's language protocol. */
export interface Registration {
  getName(): string;
  getType(): string;
  getParent(): string;
  getDependenciesList(): string[];
  getIgnorechangesList(): string[];
  getReplaceonchangesList(): string[];
  getAdditionalsecretoutputsList(): string[];
  getAliasesList(): { getSpec(): { getNoparent(): boolean; getParenturn(): string } | undefined }[];
  getObject(): { toJavaScript(): Record<string, unknown> };
}

/**
 * Keeps what classes tell the engine, which Pulumi's mocks do not show.
 *
 * @param registered where the requests of the engine's language protocol go
 */
export function recordRegistrations(registered: Registration[]): void {
  const monitor: { registerResource(request: Registration, answer: unknown): void } = Object(getMonitor());
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, answer) => {
    registered.push(request);
    register(request, answer);
  };
}
