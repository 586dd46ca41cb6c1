/** Most workers of an endpoint that names no maximum. */
export const MOST_WORKERS = 3;
