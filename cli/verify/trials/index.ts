import type { FactId } from "../facts";
import { commonTrials } from "./common";
import { containerTrials } from "./containers";
import { endpointTrials } from "./endpoints";
import { queueTrials } from "./queues";
import { tagTrials } from "./tags";
import type { Trial } from "./trial";
import { volumeTrials, volumeUsd } from "./volumes";

/** The trial of each fact. The compiler demands one for every fact. */
export const trials: Readonly<Record<FactId, Trial>> = {
  ...commonTrials,
  ...containerTrials,
  ...endpointTrials,
  ...queueTrials,
  ...tagTrials,
  ...volumeTrials,
};

const usd: { readonly [Id in FactId]?: number } = volumeUsd;

/** The most that a trial costs, in USD. */
export const usdOf = (id: FactId): number => usd[id] ?? 0;
