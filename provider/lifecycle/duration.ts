import { z } from "zod";
import { DURATION, DURATION_RULE } from "../client/values/duration";

/** An argument that takes a duration. */
export const duration = z.string().regex(DURATION, DURATION_RULE);
