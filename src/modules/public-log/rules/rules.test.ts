import { createHash, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCheckpoint, signCheckpoint, verifierKey } from './checkpoint';
import { append, peaksOf, rootOf } from './merkle';
import { logFile } from './tiles';

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** RFC 9162, 2.1.1, word for word. */
function merkleTreeHash(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0] as Buffer);
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return sha256(Buffer.of(1), merkleTreeHash(leaves.slice(0, half)), merkleTreeHash(leaves.slice(half)));
}

function grown(leaves: readonly Buffer[]) {
  let peaks: Buffer[] = [];
  const nodes = leaves.flatMap((leaf, size) => {
    const step = append(size, peaks, leaf);
    ({ peaks } = step);
    return step.nodes;
  });
  return { peaks, nodes };
}

describe('the tree', () => {
  it('has the roots of the test vectors of RFC 6962’s reference implementation', () => {
    const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
    const bytes = leaves.map((hex) => Buffer.from(hex, 'hex'));
    const roots = bytes.map((_, index) => rootOf(grown(bytes.slice(0, index + 1)).peaks).toString('hex'));
    expect(rootOf([]).toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(roots[0]).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
    expect(roots[1]).toBe('fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125');
    expect(roots[7]).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328');
  });

  it('grows to the root that the RFC defines, of any size, and every node is that of its leaves', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), (size) => {
        const leaves = Array.from({ length: size }, (_, index) => sha256(Buffer.from(String(index))));
        const { peaks, nodes } = grown(leaves);
        expect(rootOf(peaks)).toEqual(merkleTreeHash(leaves));
        for (const { level, position, hash } of nodes)
          expect(hash).toEqual(merkleTreeHash(leaves.slice(position * 2 ** level, (position + 1) * 2 ** level)));
        const at = (place: object) =>
          nodes.find((node) => Object.entries(place).every(([k, v]) => node[k as 'level'] === v));
        expect(peaksOf(size).map((place) => at(place)?.hash)).toEqual(peaks);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a checkpoint', () => {
  const key = () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    return { private: privateKey, public: publicKey };
  };
  const own = key();
  const content = { origin: 'stay.example/log', size: 7, root: sha256(Buffer.from('x')) };
  const note = signCheckpoint(content, own);

  it('is read again with its key', () => {
    expect(openCheckpoint(note, own.public)).toEqual(content);
    expect(verifierKey('stay.example/log', own.public)).toMatch(/^stay\.example\/log\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/);
  });

  it.each<[string, string]>([
    ['another size', note.replace('\n7\n', '\n8\n')],
    ['another name', note.replace('stay.example/log\n', 'other.example/log\n')],
    ['no signature', note.slice(0, note.indexOf('—'))],
    ['another key’s', signCheckpoint(content, key())],
    ['nothing', ''],
    ['a line more', note.replace('\n7\n', '\n\n7\n')],
    ['a size that is written in another way', note.replace('\n7\n', '\n07\n')],
    ['far too much', `${'x'.repeat(5_000)}${note}`],
  ])('with %s is refused', (_, changed) => {
    expect(() => openCheckpoint(changed, own.public)).toThrow(/checkpoint/i);
  });
});

describe('the log’s files', () => {
  it.each<[string, unknown]>([
    ['checkpoint', { kind: 'checkpoint' }],
    ['key', { kind: 'key' }],
    ['tile/0/000', { kind: 'hashes', level: 0, from: 0, width: 256 }],
    ['tile/1/000.p/1', { kind: 'hashes', level: 1, from: 0, width: 1 }],
    ['tile/entries/x001/x234/067', { kind: 'entries', from: 1_234_067 * 256, width: 256 }],
    ['tile/entries/x001/234.p/255', { kind: 'entries', from: 1_234 * 256, width: 255 }],
  ])('%s', (path, file) => expect(logFile(path.split('/'))).toEqual(file));

  it.each([
    '',
    'other',
    'checkpoint/x',
    'tile',
    'tile/0',
    'tile/00/000',
    'tile/64/000',
    'tile/-1/000',
    'tile/0/0',
    'tile/0/0000',
    'tile/0/x000/001',
    'tile/0/001/002',
    'tile/0/x001/x001/x001/001',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/01',
    'tile/0/000.p',
    'tile/entries/x001',
  ])('“%s” is none', (path) => expect(logFile(path.split('/'))).toBeNull());
});
