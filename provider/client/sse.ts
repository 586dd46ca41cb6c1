/** One server-sent event. */
export interface ServerEvent {
  id: string | undefined;
  data: string;
}

const blankLine = /\r?\n\r?\n/;

/** Events of a stream, each as soon as it is complete. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let pending = "";
  for await (const chunk of chunks) {
    const frames = (pending + decoder.decode(chunk, { stream: true })).split(blankLine);
    pending = frames.pop() ?? "";
    for (const frame of frames) {
      const event = readFrame(frame);
      if (event !== undefined) yield event;
    }
  }
}

/** Comments, which keep the connection awake, and frames without data are no events. */
function readFrame(frame: string): ServerEvent | undefined {
  const fields = frame.split(/\r?\n/).map((line) => {
    const colon = line.indexOf(":");
    return { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, "") };
  });
  const data = fields.filter(({ name }) => name === "data");
  if (data.length === 0) return undefined;
  return {
    id: fields.find(({ name }) => name === "id")?.value,
    data: data.map(({ value }) => value).join("\n"),
  };
}
