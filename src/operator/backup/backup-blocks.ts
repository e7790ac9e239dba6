/**
 * The container of a backup: gzip members one after the other, so that `zcat FILE` shows all of it. Each member says in
 * its header (RFC 1952's extra field) how long it is, which one it is and what its digest is: none is ever held with
 * another in memory, and damage costs the member it is in, not all that comes after.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, inflateRaw } from 'node:zlib';

/** A gzip member with nothing but an extra field of 68 bytes, which holds one subfield, TB, of 64. */
const MAGIC = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 68, 0, 0x54, 0x42, 64, 0]);
export const HEADER_BYTES = MAGIC.length + 64;
const TRAILER_BYTES = 8;
/** PostgreSQL keeps no value beyond 1 GB, and a string of JavaScript half of that: what claims more is damaged. */
const MAX_BLOCK_BYTES = 0x2000_0000;
const SCAN_BYTES = 1 << 20;

/** Large rows are pictures and sealed PDFs, in which nothing repeats: looking for it takes three times as long. */
const LARGE_ROW_BYTES = 64 * 1024;

/** One member: what it holds, and where in the file it lies. */
export interface Block {
  readonly index: number;
  readonly rows: number;
  /** Of the backup it belongs to. */
  readonly id: string;
  readonly text: Buffer;
  readonly from_byte: number;
  readonly to_byte: number;
}

/** A stretch of the file that is no member. */
export interface Damage {
  readonly from_byte: number;
  readonly to_byte: number;
  readonly problem: string;
}

const digest = (fields: Buffer, body: Buffer) => createHash('sha256').update(fields).update(body).digest();

/** The member's bytes. `id` is 16 bytes that all members of one backup share. */
export async function encodeBlock(index: number, rows: number, id: Buffer, text: Buffer): Promise<Buffer> {
  const strategy = text.length > rows * LARGE_ROW_BYTES ? constants.Z_HUFFMAN_ONLY : constants.Z_DEFAULT_STRATEGY;
  const deflated = await promisify(deflateRaw)(text, { level: 1, strategy });
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(crc32(text), 0);
  trailer.writeUInt32LE(text.length, 4);
  const body = Buffer.concat([deflated, trailer]);
  const fields = Buffer.alloc(32);
  fields.writeUInt32LE(index, 0);
  fields.writeUInt32LE(rows, 4);
  fields.writeUInt32LE(body.length, 8);
  fields.writeUInt32LE(text.length, 12);
  id.copy(fields, 16);
  return Buffer.concat([MAGIC, fields, digest(fields, body), body]);
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Whether the file is of this kind at all. */
export async function startsWithBlock(file: FileHandle): Promise<boolean> {
  return (await read(file, 0, MAGIC.length)).equals(MAGIC);
}

/** The member that starts at a byte, or what is wrong there. */
async function readBlock(file: FileHandle, from_byte: number, size: number): Promise<Block | string> {
  const header = await read(file, from_byte, HEADER_BYTES);
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) return 'is no part of a backup';
  if (header.length < HEADER_BYTES) return 'is cut short';
  const fields = header.subarray(MAGIC.length, MAGIC.length + 32);
  const [body_bytes, text_bytes] = [fields.readUInt32LE(8), fields.readUInt32LE(12)];
  if (body_bytes > MAX_BLOCK_BYTES || text_bytes > MAX_BLOCK_BYTES) return 'says a length that cannot be';
  const to_byte = from_byte + HEADER_BYTES + body_bytes;
  if (to_byte > size) return 'is cut short';
  const body = await read(file, from_byte + HEADER_BYTES, body_bytes);
  if (!digest(fields, body).equals(header.subarray(MAGIC.length + 32))) return 'does not match its checksum';
  // The digest is of these very bytes, so they inflate to what was written.
  const text = await promisify(inflateRaw)(body.subarray(0, -TRAILER_BYTES), { maxOutputLength: text_bytes || 1 });
  const id = fields.subarray(16).toString('hex');
  return { index: fields.readUInt32LE(0), rows: fields.readUInt32LE(4), id, text, from_byte, to_byte };
}

/** Where the next member may start, at or after a byte; the file's end when there is none. */
async function findBlock(file: FileHandle, from_byte: number, size: number): Promise<number> {
  for (let position = from_byte; position < size; position += SCAN_BYTES) {
    const found = (await read(file, position, SCAN_BYTES + MAGIC.length - 1)).indexOf(MAGIC);
    if (found >= 0) return position + found;
  }
  return size;
}

/** Every member from a byte on, and between them what is damaged. */
export async function* readBlocks(file: FileHandle, start = 0): AsyncGenerator<Block | Damage> {
  const { size } = await file.stat();
  let position = start === 0 ? 0 : await findBlock(file, start, size);
  let damage: Damage | null = null;
  while (position < size) {
    const block = await readBlock(file, position, size);
    if (typeof block !== 'string') {
      if (damage) yield damage;
      damage = null;
      yield block;
      position = block.to_byte;
      continue;
    }
    const from_byte: number = damage?.from_byte ?? position;
    const problem: string = damage?.problem ?? block;
    position = await findBlock(file, position + 1, size);
    damage = { from_byte, to_byte: position, problem };
  }
  if (damage) yield damage;
}
