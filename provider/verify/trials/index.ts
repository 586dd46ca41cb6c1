import type { TriedId } from "../facts";
import { commonTrials } from "./common";
import { containerTrials } from "./containers";
import { endpointTrials } from "./endpoints";
import { queueTrials } from "./queues";
import { tagTrials } from "./tags";
import type { Trial } from "./trial";
import { volumeTrials } from "./volumes";

/** How each fact is tried. The compiler asks for one of every fact that has no reason against it. */
export const trials: Readonly<Record<TriedId, Trial>> = {
  ...commonTrials,
  ...containerTrials,
  ...endpointTrials,
  ...queueTrials,
  ...tagTrials,
  ...volumeTrials,
};
