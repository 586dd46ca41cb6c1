import { z } from "zod";

/** The account's public keys, in order. */
export const SshKeys = z.object({ keys: z.array(z.string()) });
export type SshKeys = z.infer<typeof SshKeys>;
