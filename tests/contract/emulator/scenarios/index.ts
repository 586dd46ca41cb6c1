import { account } from "./account";
import { attachments } from "./attachments";
import { billing } from "./billing";
import { catalog } from "./catalog";
import { clusters } from "./clusters";
import { pods } from "./pods";
import type { Scenario } from "./scenario";
import { serverless } from "./serverless";
import { storage } from "./storage";
import { templates } from "./templates";

export const scenarios: readonly Scenario[] = [
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
