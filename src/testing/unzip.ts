/** Unpacks a small ZIP archive, for tests. */
import { inflateRawSync } from 'node:zlib';

/** Reads an archive through its central directory, as unpacking programs do. */
export function unpackZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from('504b0506', 'hex'));
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let index = 0; index < zip.readUInt16LE(end + 10); index++) {
    const [compressed, name_length, extra] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
    ];
    const local = zip.readUInt32LE(at + 42);
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const data = zip.subarray(begin, begin + compressed);
    const name = zip.toString('utf8', at + 46, at + 46 + name_length);
    files.set(name, zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(data) : data);
    at += 46 + name_length + extra;
  }
  return files;
}
