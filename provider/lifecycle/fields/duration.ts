import { DURATION, DURATION_RULE, SPAN, SPAN_RULE } from "../../../common/duration";
import { z } from "../../../common/zod";

/** An argument that takes a duration. */
export const duration = z.string().regex(DURATION, DURATION_RULE);

/** An argument that takes a time which may be shorter than a second. */
export const span = z.string().regex(SPAN, SPAN_RULE);
