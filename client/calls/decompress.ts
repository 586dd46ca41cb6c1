import { pipeline, type Readable } from "node:stream";
import { promisify } from "node:util";
import { isRecord } from "../../common/json";
import { BodyLimit } from "../outcomes/failures";

/** The value of `accept-encoding`. */
export const ENCODING = "gzip";

/** A stream that a proxy has compressed unasked, read as it is meant; undefined for an encoding that Node doesn't know. */
export function decompressedStream(body: Readable, encoding = "identity"): Readable | undefined {
  if (encoding === "identity") return body;
  const { createBrotliDecompress, createUnzip } = require("node:zlib") as typeof import("node:zlib");
  if (!/^(x-)?(gzip|deflate)$|^br$/i.test(encoding)) return undefined;
  const plain = /br/i.test(encoding) ? createBrotliDecompress() : createUnzip();
  // Whoever reads it meets the error, too.
  return pipeline(body, plain, () => {});
}

/**
 * The decompressed body, of at most `mostBytes`. A body in another encoding, which was not asked for, is returned as it is.
 *
 * @throws BodyLimit
 */
export async function decompress(body: Buffer, encoding: string, mostBytes: number): Promise<Buffer> {
  // A 204 may carry a content-encoding header too.
  if (body.length === 0 || encoding.toLowerCase() !== ENCODING) return body;
  // Loaded with the first compressed answer.
  const { gunzip } = require("node:zlib") as typeof import("node:zlib");
  try {
    return await promisify(gunzip)(body, { maxOutputLength: mostBytes });
  } catch (error) {
    throw isRecord(error) && error.code === "ERR_BUFFER_TOO_LARGE" ? new BodyLimit(mostBytes) : error;
  }
}
