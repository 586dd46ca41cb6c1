import { InterruptedError } from "../../lifecycle/wait";

/** Works on all, so many at a time. What fails fails alone; once the engine was told to stop, nothing more is begun. */
export async function pool<Item>(
  items: readonly Item[],
  width: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
  failed: (item: Item, error: unknown) => void,
): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) {
      try {
        if (signal.aborted) throw new InterruptedError();
        await work(item);
      } catch (error) {
        failed(item, error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
}
