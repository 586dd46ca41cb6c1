import { promisify } from "node:util";
import { BodyLimit } from "../outcomes/failures";
import { isRecord } from "../values/json";

/** The value of `accept-encoding`. */
export const ENCODINGS = "gzip, br, deflate";
/** Each encoding of a chain is decompressed into memory, so a long chain could exhaust it. */
const MOST_LINKS = 3;

/**
 * The decompressed body, of at most `mostBytes`. A body with an unknown encoding is returned as it is.
 *
 * @throws BodyLimit
 */
export async function decompress(body: Buffer, encoding: string, mostBytes: number): Promise<Buffer> {
  // A 204 may carry a content-encoding header too.
  if (body.length === 0) return body;
  const links = encoding.toLowerCase().split(",").reverse();
  if (links.length > MOST_LINKS) return body;
  let plain = body;
  for (const link of links) {
    const decode = decoderOf(link.trim(), plain);
    if (decode === undefined) return plain;
    try {
      plain = await decode(plain, { maxOutputLength: mostBytes });
    } catch (error) {
      throw isRecord(error) && error.code === "ERR_BUFFER_TOO_LARGE" ? new BodyLimit(mostBytes) : error;
    }
  }
  return plain;
}

/** zlib is loaded with the first compressed answer. */
function decoderOf(encoding: string, body: Buffer) {
  const zlib = require("node:zlib") as typeof import("node:zlib");
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return promisify(zlib.gunzip);
    case "br":
      return promisify(zlib.brotliDecompress);
    case "deflate":
      // Some servers send the bare stream without the header that the standard asks for.
      return ((body[0] ?? 0) & 0x0f) === 8 ? promisify(zlib.inflate) : promisify(zlib.inflateRaw);
    default:
      return undefined;
  }
}
