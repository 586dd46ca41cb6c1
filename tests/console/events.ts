/** An open stream of server-sent events. */
export interface Events<T> extends AsyncDisposable {
  /** The data of the next event that satisfies the test. */
  until(holds: (data: T) => boolean): Promise<T>;
}

/** @param name of the events that are read */
export async function openEvents<T>(url: string, name: string): Promise<Events<T>> {
  const controller = new AbortController();
  const answer = await fetch(url, { signal: controller.signal });
  if (!answer.ok || answer.body === null) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  const events = parse(answer.body.pipeThrough(new TextDecoderStream()));
  return {
    async until(holds) {
      for (;;) {
        const { value, done } = await events.next();
        if (done === true) throw new Error("the stream has ended");
        if (value.name === name && holds(value.data)) return value.data;
      }
    },
    async [Symbol.asyncDispose]() {
      controller.abort();
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the caller says what an event's data is
type Event = { readonly name: string; readonly data: any };

async function* parse(chunks: ReadableStream<string>): AsyncGenerator<Event, undefined> {
  let text = "";
  for await (const chunk of chunks) {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (name !== undefined && data !== undefined) yield { name, data: JSON.parse(data) };
    }
  }
  return undefined;
}
