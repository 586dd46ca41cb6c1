type Prepare = NonNullable<typeof Error.prepareStackTrace>;

/**
 * The SDK takes a stack trace for each of the four promises behind each output of a resource, to print it when
 * PULUMI_DEBUG_PROMISE_LEAKS asks for it, and mapping these traces to their sources was what cost a large program most
 * of its time. Until the returned function is called they stay empty, and the trace that is recorded as the resource's
 * position is limited to what tells something. All others, such as those of errors in transformations, are left alone.
 *
 * @param constructorName of the class between the SDK's and the one that programs make: the SDK looks for the program's
 *   line where it would be without it
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
    // A transformation may have put another one in place.
    if (Error.prepareStackTrace === short) Error.prepareStackTrace = prepare;
  };
}

/** Without that class, and without what called the program: the state would repeat it for every resource. */
function position(frames: NodeJS.CallSite[], constructorName: string): NodeJS.CallSite[] {
  const last = frames.findLastIndex(isProgram);
  return frames.filter((frame, index) => (last < 0 || index <= last) && frame.getFunctionName() !== constructorName);
}

function isProgram(frame: NodeJS.CallSite): boolean {
  const file = frame.getFileName() ?? "node:";
  return !file.startsWith("node:") && !/[\\/]node_modules[\\/]/.test(file);
}
