import { z } from "zod";

/** Whose a key is: of a team's key, the team's owner. */
export const Account = z.object({ id: z.string().min(1), email: z.string().nullable().optional() });
export type Account = z.infer<typeof Account>;
