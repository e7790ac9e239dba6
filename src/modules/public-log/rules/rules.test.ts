import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLogVerifierKey, renderInclusionProofFile, signCheckpoint, verifyCheckpointNote } from './checkpoint';
import {
  getLogEpochTreeName,
  parseLogEpochNumber,
  parsePublishedBackupRestoreStatement,
  renderPublishedBackupRestoreStatement,
} from './epochs';
import { appendLeafToTree, buildLastLeafInclusionProof, computeMerkleRoot, getMerklePeakPositions } from './merkle';
import { parsePublicLogFilePath } from './tiles';

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** Computes the hash by the definition in RFC 9162, 2.1.1. */
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
    const step = appendLeafToTree(size, peaks, leaf);
    ({ peaks } = step);
    return step.nodes;
  });
  return { peaks, nodes };
}

describe('the Merkle tree', () => {
  it('has the roots of the test vectors of RFC 6962’s reference implementation', () => {
    const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
    const bytes = leaves.map((hex) => Buffer.from(hex, 'hex'));
    const roots = bytes.map((_, index) => computeMerkleRoot(grown(bytes.slice(0, index + 1)).peaks).toString('hex'));
    expect(computeMerkleRoot([]).toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    expect(roots[0]).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
    expect(roots[1]).toBe('fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125');
    expect(roots[7]).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328');
  });

  it('has the root that the RFC defines at any size, and every node is the hash of its leaves', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), (size) => {
        const leaves = Array.from({ length: size }, (_, index) => sha256(Buffer.from(String(index))));
        const { peaks, nodes } = grown(leaves);
        expect(computeMerkleRoot(peaks)).toEqual(merkleTreeHash(leaves));
        for (const { level, position, hash } of nodes)
          expect(hash).toEqual(merkleTreeHash(leaves.slice(position * 2 ** level, (position + 1) * 2 ** level)));
        const at = (place: object) =>
          nodes.find((node) => Object.entries(place).every(([k, v]) => node[k as 'level'] === v));
        expect(getMerklePeakPositions(size).map((place) => at(place)?.hash)).toEqual(peaks);
      }),
      { numRuns: 40 },
    );
  });
});

it('the proof of the last leaf leads to the root, nearest sibling first', () => {
  for (let size = 1; size <= 70; size++) {
    const leaves = Array.from({ length: size }, (_, index) => Buffer.from(String(index)));
    const last = sha256(Buffer.of(0), leaves[size - 1] as Buffer);
    // All siblings of the last leaf are on its left.
    const root = buildLastLeafInclusionProof(grown(leaves.slice(0, -1)).peaks).reduce(
      (hash, left) => sha256(Buffer.of(1), left, hash),
      last,
    );
    expect(root).toEqual(merkleTreeHash(leaves));
  }
});

it('the file of a proof has index, hashes and checkpoint, as in c2sp.org/tlog-proof', () => {
  const proof = {
    leaf_index: 6,
    tree_size: 7,
    root_hash: 'cm9vdA==',
    hashes: ['YQ==', 'Yg=='],
    checkpoint: 'log\n7\n',
  };
  expect(renderInclusionProofFile(proof)).toBe('c2sp.org/tlog-proof@v1\nindex 6\nYQ==\nYg==\n\nlog\n7\n');
});

describe('a checkpoint', () => {
  const key = () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    return { private: privateKey, public: publicKey };
  };
  const own = key();
  const content = { origin: 'stay.example/log', size: 7, root: sha256(Buffer.from('x')) };
  const note = signCheckpoint(content, own);

  it('is parsed with its key', () => {
    expect(verifyCheckpointNote(note, own.public)).toEqual(content);
    expect(formatLogVerifierKey('stay.example/log', own.public)).toMatch(
      /^stay\.example\/log\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/,
    );
  });

  it.each<[string, string]>([
    ['another size', note.replace('\n7\n', '\n8\n')],
    ['another name', note.replace('stay.example/log\n', 'other.example/log\n')],
    ['no signature', note.slice(0, note.indexOf('—'))],
    ['another key’s signature', signCheckpoint(content, key())],
    ['no content', ''],
    ['an extra line', note.replace('\n7\n', '\n\n7\n')],
    ['a size with a leading zero', note.replace('\n7\n', '\n07\n')],
    ['far too much text', `${'x'.repeat(5_000)}${note}`],
  ])('with %s is refused', (_, changed) => {
    expect(() => verifyCheckpointNote(changed, own.public)).toThrow(/checkpoint/i);
  });
});

describe('a checkpoint signed with the right key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const origin = 'stay.example/log';
  const root = sha256(Buffer.from('x')).toString('base64');
  const id = Buffer.from(formatLogVerifierKey(origin, publicKey).split('+')[1] ?? '', 'hex');
  const bytesOf = (text: string, key_id = id) => Buffer.concat([key_id, sign(null, Buffer.from(text), privateKey)]);
  const noteOf = (text: string, line = `— ${origin} ${bytesOf(text).toString('base64')}`) => `${text}\n${line}\n`;
  const sound = `${origin}\n7\n${root}\n`;

  it('is accepted with further lines and with signatures of witnesses, up to 4,000 characters', () => {
    const opened = { origin, size: 7, root: Buffer.from(root, 'base64') };
    const witness = `— witness.example ${Buffer.alloc(68, 1).toString('base64')}`;
    const own = `— ${origin} ${bytesOf(sound).toString('base64')}`;
    const longest = `${sound}${'x'.repeat(4_000 - noteOf(`${sound}\n`).length)}\n`;
    expect(verifyCheckpointNote(noteOf(sound), publicKey)).toEqual(opened);
    expect(verifyCheckpointNote(noteOf(sound, `${witness}\n${own}\n${witness}`), publicKey)).toEqual(opened);
    expect(noteOf(longest)).toHaveLength(4_000);
    expect(verifyCheckpointNote(noteOf(longest), publicKey)).toEqual(opened);
    expect(verifyCheckpointNote(noteOf(`${origin}\n0\n${root}\n`), publicKey).size).toBe(0);
    expect(() => verifyCheckpointNote(noteOf(`x${longest}`), publicKey)).toThrow('It is no checkpoint.');
  });

  it.each([
    ...['', '07', '7x', 'x7', '1x', '12345678901', '-7', ' 7'].map((size) => `${origin}\n${size}\n${root}\n`),
    `\n7\n${root}\n`,
    `${origin}\n7\n\n`,
    `${origin}\n`,
    `${origin}\n7\n`,
    `${origin}\n7\n${Buffer.alloc(31).toString('base64')}\n`,
    `${origin}\n7\n${Buffer.alloc(33).toString('base64')}\n`,
    // A lenient parser would accept these spellings of the hash.
    `${origin}\n7\n${root.replace('=', '')}\n`,
    `${origin}\n7\n ${root}\n`,
  ])('with the text %j is refused', (text) => {
    expect(() => verifyCheckpointNote(noteOf(text), publicKey)).toThrow('It is no checkpoint.');
  });

  it.each([
    ['another dash', `- ${origin} ${bytesOf(sound).toString('base64')}`],
    ['another name', `— other.example/log ${bytesOf(sound).toString('base64')}`],
    ['an extra word', `— ${origin} ${bytesOf(sound).toString('base64')} x`],
    ['another key’s id', `— ${origin} ${bytesOf(sound, Buffer.alloc(4)).toString('base64')}`],
    ['no base64', `— ${origin}`],
  ])('is refused if its signature line has %s', (_, line) => {
    expect(() => verifyCheckpointNote(noteOf(sound, line), publicKey)).toThrow('not signed with the key of this log');
  });
});

describe('the paths of the log’s files', () => {
  it.each<[string, unknown]>([
    ['checkpoint', { epoch: 1, kind: 'checkpoint' }],
    ['key', { epoch: 1, kind: 'key' }],
    ['tile/0/000', { epoch: 1, kind: 'hashes', level: 0, from: 0, width: 256 }],
    ['tile/63/000', { epoch: 1, kind: 'hashes', level: 63, from: 0, width: 256 }],
    ['tile/1/000.p/1', { epoch: 1, kind: 'hashes', level: 1, from: 0, width: 1 }],
    ['tile/entries/x001/x234/067', { epoch: 1, kind: 'entries', from: 1_234_067 * 256, width: 256 }],
    ['7/restore', { epoch: 7, kind: 'restore' }],
    ['12/tile/0/000', { epoch: 12, kind: 'hashes', level: 0, from: 0, width: 256 }],
    ['tile/entries/x001/234.p/255', { epoch: 1, kind: 'entries', from: 1_234 * 256, width: 255 }],
  ])('are parsed: %s', (path, file) => expect(parsePublicLogFilePath(path.split('/'))).toEqual(file));

  it.each([
    '',
    'other',
    '1/checkpoint',
    '0/checkpoint',
    '02/checkpoint',
    '2',
    '2/2/checkpoint',
    'checkpoint/x',
    'tile',
    'tile/0',
    'tile/00/000',
    'tile/64/000',
    'title/0/000',
    'tile/0/xx001/001',
    'tile/0/x0011/001',
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
  ])('do not include “%s”', (path) => expect(parsePublicLogFilePath(path.split('/'))).toBeNull());
});

describe('the statement of a restore', () => {
  const restored = { origin: 'stay.example/.well-known/threshold-log', size: 5, root: sha256(Buffer.from('x')) };
  const origin = 'stay.example/.well-known/threshold-log/2';
  const statement = { origin, began_at: '2027-01-01T00:00:00.000Z', restored, last_known: 'a\n6\nb\n\n— a c\n' };

  it.each([statement, { ...statement, restored: null }, { ...statement, last_known: null }])(
    'is parsed back (%#)',
    (one) => expect(parsePublishedBackupRestoreStatement(renderPublishedBackupRestoreStatement(one))).toEqual(one),
  );
  it.each([
    '',
    'threshold-log-restore/v2\n',
    renderPublishedBackupRestoreStatement(statement).replace('began', 'ended'),
  ])('is not parsed from %j', (text) =>
    expect(() => parsePublishedBackupRestoreStatement(text)).toThrow('It is not a statement of a restore.'),
  );
  it.each([
    ['stay.example/.well-known/threshold-log', 1],
    ['stay.example/.well-known/threshold-log/2', 2],
    ['stay.example/.well-known/threshold-log/x', 1],
  ])('for the name %s has epoch %i', (name, epoch) => {
    expect(parseLogEpochNumber(name)).toBe(epoch);
    if (!name.endsWith('x')) expect(getLogEpochTreeName(restored.origin, epoch)).toBe(name);
  });
});
