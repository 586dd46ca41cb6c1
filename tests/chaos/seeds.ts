/** Of the lives that every `npm test` lives: chosen so that commands, hosts and kinds of trouble come up in some of them. */
export const SEEDS: readonly number[] = [7, 10];
