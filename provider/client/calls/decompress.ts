import { promisify } from "node:util";
import { BodyLimit } from "../outcomes/failures";
import { isRecord } from "../values/json";

/** What an answer may be compressed with, as `accept-encoding` says it. */
export const ENCODINGS = "gzip, br, deflate";
/** A chain of encodings costs its every link's memory. */
const MOST_LINKS = 3;

/**
 * A body without its compression, of at most `mostBytes`. An encoding that nobody asked for leaves it as it is.
 *
 * @throws BodyLimit
 */
export async function decompress(body: Buffer, encoding: string, mostBytes: number): Promise<Buffer> {
  // What has no content, such as a 204, has none to decode, whatever its headers say.
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

/** Loaded with the first compressed answer. */
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
