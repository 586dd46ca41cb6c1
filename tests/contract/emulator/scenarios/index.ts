import type { Scenario } from "../conversation";
import { account } from "./account";
import { catalog } from "./catalog";
import { clusters } from "./clusters";
import { nouns } from "./nouns";
import { pods } from "./pods";
import { serverless } from "./serverless";
import { storage } from "./storage";

export const scenarios: readonly Scenario[] = [
  ...nouns,
  ...account,
  ...storage,
  ...pods,
  ...clusters,
  ...serverless,
  ...catalog,
];
