/** Whether a job has nothing in it. The service's workers take no such job: it is given back until its time is over. */
export function isEmptyInput(input: unknown): boolean {
  return (
    input === null ||
    (typeof input === "object" && Object.keys(input).length === 0 && typeof Reflect.get(input, "toJSON") !== "function")
  );
}
