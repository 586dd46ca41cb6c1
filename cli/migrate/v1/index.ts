export { type MigratedCall, migrateCall, type V1Call } from "./calls";
export type { Body, Warning } from "./fields";
export { type Kind, kinds, type Migration, MigrationError, migrate } from "./migrate";
