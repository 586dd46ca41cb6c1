import type { TriedId } from "../facts";
import { commonTrials } from "./common";
import { containerTrials } from "./containers";
import { endpointTrials } from "./endpoints";
import { queueTrials } from "./queues";
import { tagTrials } from "./tags";
import type { Trial } from "./trial";
import { volumeTrials, volumeUsd } from "./volumes";

/** The trial of each fact. The compiler demands one for every fact without `untried`. */
export const trials: Readonly<Record<TriedId, Trial>> = {
  ...commonTrials,
  ...containerTrials,
  ...endpointTrials,
  ...queueTrials,
  ...tagTrials,
  ...volumeTrials,
};

const usd: { readonly [Id in TriedId]?: number } = volumeUsd;

/** The most that a trial costs, in USD. */
export const usdOf = (id: TriedId): number => usd[id] ?? 0;
