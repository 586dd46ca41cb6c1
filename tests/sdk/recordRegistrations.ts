import { getMonitor } from "@pulumi/pulumi/runtime/settings";

/**
 * Keeps what classes tell the engine, which Pulumi's mocks do not show.
 *
 * @param registered where the requests of the engine's language protocol go
 */
export function recordRegistrations<Registration>(registered: Registration[]): void {
  const monitor: { registerResource(request: Registration, answer: unknown): void } = Object(getMonitor());
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, answer) => {
    registered.push(request);
    register(request, answer);
  };
}
