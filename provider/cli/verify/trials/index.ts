import type { TriedId } from "../facts";
import { commonTrials } from "./common";
import { containerTrials } from "./containers";
import { endpointTrials } from "./endpoints";
import { queueTrials } from "./queues";
import { tagTrials } from "./tags";
import type { Trial } from "./trial";
import { volumeTrials } from "./volumes";

/** The trial of each fact. The compiler demands one for every fact without `untried`. */
export const trials: Readonly<Record<TriedId, Trial>> = {
  ...commonTrials,
  ...containerTrials,
  ...endpointTrials,
  ...queueTrials,
  ...tagTrials,
  ...volumeTrials,
};
