/**
 * Signed checkpoints (https://c2sp.org/tlog-checkpoint, signed-note): the log's name, the size of
 * its tree and the root hash, with an Ed25519 signature. This file also formats inclusion proofs
 * (https://c2sp.org/tlog-proof). Pure.
 */
import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import { MERKLE_HASH_LENGTH_BYTES } from './merkle';

export interface Checkpoint {
  /** The log's name. */
  origin: string;
  size: number;
  root: Buffer;
}

export interface InclusionProof {
  leaf_index: number;
  tree_size: number;
  /** Base64, like all hashes in this file. */
  root_hash: string;
  /** Sibling hashes from the leaf to the root. */
  hashes: string[];
  /** The signed checkpoint of the tree in which the leaf is included. */
  checkpoint: string;
}

const ED25519 = Uint8Array.of(1);
/** The maximum length of a note in characters, enough for sixteen cosignatures. */
const MAX_CHARACTERS = 4_000;

const rawKey = (key: KeyObject) => Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');

/** Returns an id that distinguishes keys with the same name. */
function keyId(name: string, public_key: KeyObject): Buffer {
  const hash = createHash('sha256').update(`${name}\n`).update(ED25519).update(rawKey(public_key));
  return hash.digest().subarray(0, 4);
}

/** Returns the key in one line with its name and id, as monitors expect it. */
export function formatLogVerifierKey(name: string, public_key: KeyObject): string {
  const key = Buffer.concat([ED25519, rawKey(public_key)]).toString('base64');
  return `${name}+${keyId(name, public_key).toString('hex')}+${key}`;
}

/** Returns the checkpoint as a signed note. */
export function signCheckpoint(
  { origin, size, root }: Checkpoint,
  key: { private: KeyObject; public: KeyObject },
): string {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n`;
  const signature = sign(null, Buffer.from(text), key.private);
  return `${text}\n— ${origin} ${Buffer.concat([keyId(origin, key.public), signature]).toString('base64')}\n`;
}

/**
 * Parses a signed checkpoint (signed-note) and verifies its signature with this key. Throws an
 * Error that describes the problem.
 */
export function verifyCheckpointNote(note: string, public_key: KeyObject): Checkpoint {
  const end = note.length <= MAX_CHARACTERS ? note.lastIndexOf('\n\n') + 1 : 0;
  const text = note.slice(0, end);
  const [origin, size, root] = text.split('\n');
  if (!origin || !size || !root || !/^(0|[1-9]\d{0,9})$/.test(size)) throw new Error('It is no checkpoint.');
  const hash = Buffer.from(root, 'base64');
  if (hash.length !== MERKLE_HASH_LENGTH_BYTES || hash.toString('base64') !== root)
    throw new Error('It is no checkpoint.');
  const id = keyId(origin, public_key);
  const holds = note
    .slice(end + 1)
    .split('\n')
    .some((line) => {
      const [dash, name, base64, ...rest] = line.split(' ');
      const bytes = Buffer.from(base64 ?? '', 'base64');
      if (dash !== '—' || name !== origin || rest.length > 0 || !bytes.subarray(0, 4).equals(id)) return false;
      return verify(null, Buffer.from(text), public_key, bytes.subarray(4));
    });
  if (!holds) throw new Error('The checkpoint is not signed with the key of this log.');
  return { origin, size: Number(size), root: hash };
}

/** Returns an inclusion proof as a self-contained file. */
export function renderInclusionProofFile({ leaf_index, hashes, checkpoint }: InclusionProof): string {
  return ['c2sp.org/tlog-proof@v1', `index ${leaf_index}`, ...hashes, '', checkpoint].join('\n');
}
