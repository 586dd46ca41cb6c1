export { DURATION, DURATION_RULE, milliseconds } from "./client/duration";
