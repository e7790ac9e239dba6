import { describe, expect, it } from 'vitest';
import { isProgramInstalled, runExternalProgram, writeTemporaryFile } from '@/modules/certificates/testing/tools';
import { unpackZip } from '@/testing/unzip';
import { buildCentralDirectory, createZipStream, type ZipEntry, type ZipInputFile } from './zip';

const AT = new Date('2026-11-21T12:34:56.000Z');

async function archive(files: ZipInputFile[]): Promise<Buffer> {
  async function* each() {
    yield* files;
  }
  const parts: Uint8Array[] = [];
  for await (const part of createZipStream(each(), AT)) parts.push(part);
  return Buffer.concat(parts);
}

const text = (name: string, content: string, compress = true): ZipInputFile => ({
  name,
  bytes: Buffer.from(content),
  compress,
});

const FILES = [
  text('a.txt', 'hello '.repeat(1000)),
  text('folder/Łódź.txt', 'stored as it is', false),
  text('empty.json', ''),
];

describe('a ZIP archive', () => {
  it('contains every file with its name', async () => {
    const zip = await archive(FILES);
    expect(Object.fromEntries([...unpackZip(zip)].map(([name, bytes]) => [name, bytes.toString()]))).toEqual({
      'a.txt': 'hello '.repeat(1000),
      'folder/Łódź.txt': 'stored as it is',
      'empty.json': '',
    });
    expect(zip.length).toBeLessThan(1000);
  });

  it.skipIf(!isProgramInstalled('unzip'))('passes the check of an independent unpacker', async () => {
    const file = writeTemporaryFile('a.zip', await archive(FILES));
    expect(runExternalProgram('unzip', ['-tq', file])).toContain('No errors detected');
  });

  it.skipIf(!isProgramInstalled('unzip'))(
    'may contain more files than the original format allowed',
    async () => {
      const files = Array.from({ length: 66_000 }, (_, index) => text(`${index}.txt`, '', false));
      const file = writeTemporaryFile('many.zip', await archive(files));
      expect(runExternalProgram('unzip', ['-tq', file])).toContain('No errors detected');
      expect(runExternalProgram('unzip', ['-Z', '-t', file])).toContain('66000 files');
    },
    60_000,
  );

  it('records the offset of a file beyond the first four gigabytes', () => {
    const far: ZipEntry = { name: Buffer.from('far'), method: 0, crc: 1, compressed_size: 2, size: 2, offset: 5e9 };
    const bytes = buildCentralDirectory([far], 5e9 + 35, 0);
    expect(bytes.readUInt32LE(42)).toBe(0xffffffff);
    expect(bytes.readUInt16LE(49)).toBe(0x0001);
    expect(bytes.readBigUInt64LE(53)).toBe(5_000_000_000n);
    const end = bytes.indexOf(Buffer.from('504b0606', 'hex'));
    expect(bytes.readBigUInt64LE(end + 48)).toBe(5_000_000_035n);
    expect(bytes.readBigUInt64LE(bytes.indexOf(Buffer.from('504b0607', 'hex')) + 8)).toBe(5_000_000_035n + BigInt(end));
  });

  it('requests a file only once the previous one was read', async () => {
    let made = 0;
    async function* each() {
      for (;;) {
        made++;
        yield text(`${made}.txt`, 'x', false);
      }
    }
    const stream = createZipStream(each(), AT);
    for (let taken = 0; taken < 4; taken++) await stream.next();
    expect(made).toBe(2);
    await stream.return(undefined);
  });
});
