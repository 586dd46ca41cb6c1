import { relative } from "node:path";
import { checkout } from "../run/environment";
import type { Stack } from "../run/stack";
import type { EmulatorProcess } from "./emulator";

const EXPORTED = /^(PATH|PULUMI_(HOME|BACKEND_URL|CONFIG_PASSPHRASE|SKIP_UPDATE_CHECK|STACK)|COMPUTECLOUD_\w+)$/;

/** What to type to go on with a kept stack, and to end it. */
export function byHand(stack: Stack, emulator: EmulatorProcess, config: string): string {
  const inherited = process.env.PATH ?? "";
  const exports = Object.entries(stack.env)
    .filter(([name]) => EXPORTED.test(name))
    .map(([name, value = ""]) => `export ${name}="${name === "PATH" ? value.replace(inherited, "$PATH") : value}"`);
  return [
    "",
    `Console: ${emulator.addresses.consoleUrl}`,
    "",
    "The emulator and the stack are left running. To go on by hand, in this folder:",
    "",
    ...exports,
    `export COMPUTECLOUD_CONTROL_URL="${emulator.addresses.controlUrl}"`,
    "pulumi stack",
    "",
    "To end it:",
    "",
    `pulumi destroy --yes; kill ${emulator.pid}; rm -r ${[stack.folder, config].map((path) => relative(checkout, path)).join(" ")}`,
  ].join("\n");
}
