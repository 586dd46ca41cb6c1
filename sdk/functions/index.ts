// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

export * from "./account";
export * from "./billing";
export * from "./catalog";
export * from "./estimateCost";
export * from "./fleet";
export * from "./pickGpu";
export type * from "./types";
