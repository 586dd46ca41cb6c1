let isNative = false;

/**
 * In a program of another language a component is made by the plugin: all that it is made of is native there, whether or not
 * the program names a provider, and the plugin doesn't have to be looked for.
 */
export function hostNatively(): void {
  isNative = true;
}

export function isHostedNatively(): boolean {
  return isNative;
}
