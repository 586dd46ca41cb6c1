import type { Trial } from "../bench";
import type { FactId } from "../facts";
import { commonTrials, tagTrials } from "./common";
import { containerTrials, volumeTrials, volumeUsd } from "./containers";
import { endpointTrials, queueTrials } from "./endpoints";

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
