let isNative = false;

/**
 * Marks this process as the plugin's host of components, for programs in other languages. All resources of a component
 * are native there, with or without a provider, and the plugin need not be looked for.
 */
export function hostNatively(): void {
  isNative = true;
}

export const isHostedNatively = (): boolean => isNative;
