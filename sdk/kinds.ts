// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

export * from "./cluster";
export * from "./costCenter";
export * from "./ecrDelegation";
export * from "./globalVolume";
export * from "./networkVolume";
export * from "./pod";
export * from "./registry";
export * from "./secret";
export * from "./serverlessContainer";
export * from "./serverlessEndpoint";
export * from "./serverlessFleet";
export * from "./smokeJob";
export * from "./smokeRequest";
export * from "./sshKeys";
export * from "./tag";
export * from "./template";
export * from "./types";
