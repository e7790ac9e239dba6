/**
 * Writes a ZIP archive as a stream. One file at a time is in memory, and neither the size nor the
 * number of files is limited (ZIP64 where needed, APPNOTE 6.3.9). Compression runs on the thread
 * pool, in parallel with requests.
 */
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

const compress = promisify<Uint8Array, Buffer>(deflateRaw);

const UTF8_NAMES = 0x0800;
const STORED = 0;
const DEFLATED = 8;
const PLAIN_VERSION = 20;
const ZIP64_VERSION = 45;
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;

export interface ZipInputFile {
  /** A relative path with forward slashes. */
  name: string;
  /** The content, less than 4 GiB. */
  bytes: Uint8Array;
  /** Whether to compress. False for files that are already compressed (PDF, JPEG). */
  compress: boolean;
}

export interface ZipEntry {
  name: Buffer;
  method: number;
  crc: number;
  compressed_size: number;
  size: number;
  /** Offset of the file's local header. */
  offset: number;
}

/**
 * Yields the archive's bytes: every file, then the directory. `modified` is the time stamp of each
 * file.
 */
export async function* createZipStream(files: AsyncIterable<ZipInputFile>, modified: Date): AsyncGenerator<Uint8Array> {
  const entries: ZipEntry[] = [];
  const stamp = toDosTime(modified);
  let offset = 0;
  for await (const file of files) {
    const packed = file.compress ? await compress(file.bytes) : file.bytes;
    const entry: ZipEntry = {
      name: Buffer.from(file.name, 'utf8'),
      method: file.compress ? DEFLATED : STORED,
      crc: crc32(file.bytes),
      compressed_size: packed.length,
      size: file.bytes.length,
      offset,
    };
    const header = localHeader(entry, stamp);
    entries.push(entry);
    offset += header.length + packed.length;
    yield header;
    if (packed.length > 0) yield packed;
  }
  yield buildCentralDirectory(entries, offset, stamp);
}

function localHeader({ name, method, crc, compressed_size, size }: ZipEntry, stamp: number): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(PLAIN_VERSION, 4);
  header.writeUInt16LE(UTF8_NAMES, 6);
  header.writeUInt16LE(method, 8);
  header.writeUInt32LE(stamp, 10);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(compressed_size, 18);
  header.writeUInt32LE(size, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

/** Returns the central directory, beginning at `start`, and the end of the archive. */
export function buildCentralDirectory(entries: readonly ZipEntry[], start: number, stamp: number): Buffer {
  const records = entries.map((entry) => directoryRecord(entry, stamp));
  const size = records.reduce((sum, record) => sum + record.length, 0);
  const large = entries.length >= MAX_16 || start >= MAX_32 || size >= MAX_32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries.length, MAX_16), 8);
  end.writeUInt16LE(Math.min(entries.length, MAX_16), 10);
  end.writeUInt32LE(Math.min(size, MAX_32), 12);
  end.writeUInt32LE(Math.min(start, MAX_32), 16);
  return Buffer.concat([...records, ...(large ? [zip64End(entries.length, size, start)] : []), end]);
}

function directoryRecord(entry: ZipEntry, stamp: number): Buffer {
  const far = entry.offset >= MAX_32;
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(far ? ZIP64_VERSION : PLAIN_VERSION, 4);
  record.writeUInt16LE(far ? ZIP64_VERSION : PLAIN_VERSION, 6);
  record.writeUInt16LE(UTF8_NAMES, 8);
  record.writeUInt16LE(entry.method, 10);
  record.writeUInt32LE(stamp, 12);
  record.writeUInt32LE(entry.crc, 16);
  record.writeUInt32LE(entry.compressed_size, 20);
  record.writeUInt32LE(entry.size, 24);
  record.writeUInt16LE(entry.name.length, 28);
  record.writeUInt16LE(far ? 12 : 0, 30);
  record.writeUInt32LE(Math.min(entry.offset, MAX_32), 42);
  if (!far) return Buffer.concat([record, entry.name]);
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(0x0001, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(BigInt(entry.offset), 4);
  return Buffer.concat([record, entry.name, extra]);
}

/** Returns the ZIP64 end of the central directory and its locator. */
function zip64End(count: number, size: number, start: number): Buffer {
  const end = Buffer.alloc(76);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(ZIP64_VERSION, 12);
  end.writeUInt16LE(ZIP64_VERSION, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(start + size), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

/** Converts a time to the DOS format: UTC, years from 1980, a precision of two seconds. */
export function toDosTime(at: Date): number {
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return date * 0x10000 + time;
}
