/** Older clients turned FlashBoot on by appending `-fb` to an endpoint's name. The service may show or remove the suffix. */
export function withoutFlashBoot(name: string): string {
  return name.replace(/ ?-fb$/, "");
}
