import { expect } from "@jest/globals";

/** The error of this kind in which a call ends. A call that ends otherwise fails the test. */
export async function errorOf<Kind extends Error = Error>(
  call: Promise<unknown>,
  kind: abstract new (...args: never[]) => Kind = Error as never,
): Promise<Kind> {
  const ended = await call.then(
    () => "no error",
    (error: unknown) => error,
  );
  expect(ended).toBeInstanceOf(kind);
  return ended as Kind;
}
