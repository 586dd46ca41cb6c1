/** Arguments that a template may hold. */
export const CONTAINER = ["image", "args", "disk", "ports", "env", "registry"] as const;
