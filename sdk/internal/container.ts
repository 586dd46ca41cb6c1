/** Arguments that a template holds. */
export const CONTAINER = ["image", "args", "disk", "ports", "env", "registry"] as const;
