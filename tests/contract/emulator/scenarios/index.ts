import { account, attachments } from "./account";
import { billing, catalog } from "./catalog";
import { clusters } from "./clusters";
import { nouns } from "./nouns";
import { pods } from "./pods";
import type { Scenario } from "./scenario";
import { serverless } from "./serverless";
import { storage, templates } from "./storage";

export const scenarios: readonly Scenario[] = [
  ...nouns,
  ...account,
  ...attachments,
  ...templates,
  ...storage,
  ...pods,
  ...clusters,
  ...serverless,
  ...catalog,
  ...billing,
];
