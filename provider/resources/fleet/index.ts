export { FleetLifecycle } from "./fleetLifecycle";
export { CONTAINER, seedOf, without } from "./members";
export { serverlessFleet } from "./serverlessFleet";
