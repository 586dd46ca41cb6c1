/** Maximum of workers of an endpoint that declares none. */
export const MOST_WORKERS = 3;
/** FlashBoot of an endpoint that declares none. */
export const DEFAULT_FLASH_BOOT = "OFF";
/** Idle timeout in seconds. */
export const DEFAULT_IDLE_TIMEOUT = 10;
