/** Simulates an image that can't be pulled: a pod with this tag goes to ERROR instead of RUNNING. */
export const MISSING_IMAGE_TAG = ":does-not-exist";
