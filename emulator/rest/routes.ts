// Made from the modules that it lists by `npm run generate`: change them, not this file.

import type { Route } from "../http/route";
import * as account from "./account";
import * as billing from "./billing";
import * as catalog from "./catalog";
import * as clusters from "./clusters";
import * as costCenters from "./costCenters";
import * as delegations from "./delegations";
import * as globalVolumes from "./globalVolumes";
import * as logs from "./logs";
import * as networkVolumes from "./networkVolumes";
import * as pods from "./pods";
import * as registries from "./registries";
import * as secrets from "./secrets";
import * as serverless from "./serverless";
import * as tags from "./tags";
import * as templates from "./templates";

/** Every REST operation. */
export const routes: readonly Route[] = [
  ...account.routes,
  ...billing.routes,
  ...catalog.routes,
  ...clusters.routes,
  ...costCenters.routes,
  ...delegations.routes,
  ...globalVolumes.routes,
  ...logs.routes,
  ...networkVolumes.routes,
  ...pods.routes,
  ...registries.routes,
  ...secrets.routes,
  ...serverless.routes,
  ...tags.routes,
  ...templates.routes,
];
