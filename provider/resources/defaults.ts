/** Most workers of an endpoint that names no maximum. */
export const MOST_WORKERS = 3;
/** FlashBoot of an endpoint that asks for none. */
export const DEFAULT_FLASH_BOOT = "OFF";
/** Seconds. */
export const DEFAULT_IDLE_TIMEOUT = 10;
