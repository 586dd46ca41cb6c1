/** Older clients turned FlashBoot on by `-fb` behind an endpoint's name, which the service may show or take off. */
export function withoutFlashBoot(name: string): string {
  return name.replace(/ ?-fb$/, "");
}
