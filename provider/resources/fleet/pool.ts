import { InterruptedError } from "../../lifecycle/make/wait";

/**
 * Works on all items, `width` at a time. An item that fails does not stop the others. After the engine has cancelled the
 * run, no new item is begun; items under way continue.
 */
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
