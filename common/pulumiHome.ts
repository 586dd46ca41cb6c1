import { devNull, homedir } from "node:os";
import { join } from "node:path";

/**
 * Pulumi's folder on this machine: `PULUMI_HOME`, or `.pulumi` in the home folder. A user of a container may have neither,
 * nor an entry in passwd, and then `homedir` throws: the path is one where nothing can be read or written.
 */
export const pulumiHome = (): string => process.env.PULUMI_HOME || join(userHome() || devNull, ".pulumi");

function userHome(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}
