import { getOrCreate } from "./getOrCreate";

/** A function that computes its answer to each object once, and keeps it as long as the object exists. */
export function cached<Key extends WeakKey, Answer extends object>(
  compute: (key: Key) => Answer,
): (key: Key) => Answer {
  const answers = new WeakMap<Key, Answer>();
  return (key) => getOrCreate(answers, key, compute);
}

/** A function that runs once, at its first call. */
export function once<Answer>(compute: () => Answer): () => Answer {
  let done: { readonly answer: Answer } | undefined;
  return () => {
    done ??= { answer: compute() };
    return done.answer;
  };
}
