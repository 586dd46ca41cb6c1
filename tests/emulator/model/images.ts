/** A pod whose image has this tag goes to ERROR instead of RUNNING, as one does whose image cannot be pulled. */
export const MISSING_IMAGE_TAG = ":does-not-exist";
