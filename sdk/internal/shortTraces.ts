type Prepare = NonNullable<typeof Error.prepareStackTrace>;

/**
 * Shortens stack traces while a resource is registered. The SDK takes one for each of four promises behind each output,
 * to print it under PULUMI_DEBUG_PROMISE_LEAKS. Mapping these traces to their sources took most of a large program's
 * time. Until the returned function is called they stay empty. The trace that is recorded as the resource's position
 * keeps only useful frames. Other traces, such as those of errors in transformations, are not changed.
 *
 * @param constructorName name of the class between the SDK's class and the one that programs use. The SDK looks for the
 * program's line where it would be without that class
 */
export function withShortTraces(constructorName: string): () => void {
  const prepare = Error.prepareStackTrace;
  if (prepare === undefined || process.env.PULUMI_DEBUG_PROMISE_LEAKS) return () => {};
  const short: Prepare = (error, frames) => {
    const taker = frames[0]?.getFunctionName();
    if (taker === "debuggablePromise") return "";
    return prepare(error, taker === "callsites" ? position(frames, constructorName) : frames);
  };
  Error.prepareStackTrace = short;
  return () => {
    // A transformation may have set another function.
    if (Error.prepareStackTrace === short) Error.prepareStackTrace = prepare;
  };
}

/** The frames without that class and without the program's callers, which the state would repeat for every resource. */
function position(frames: NodeJS.CallSite[], constructorName: string): NodeJS.CallSite[] {
  const last = frames.findLastIndex(isProgram);
  return frames.filter((frame, index) => (last < 0 || index <= last) && frame.getFunctionName() !== constructorName);
}

function isProgram(frame: NodeJS.CallSite): boolean {
  const file = frame.getFileName() ?? "node:";
  return !file.startsWith("node:") && !/[\\/]node_modules[\\/]/.test(file);
}
