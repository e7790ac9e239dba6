/**
 * Witnesses (https://c2sp.org/tlog-witness) are independent servers that cosign checkpoints. A
 * witness first verifies that a checkpoint extends the last one it cosigned. A log therefore cannot
 * show different trees to different readers. Pure.
 */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';

export interface LogWitness {
  name: string;
  key_id: Buffer;
  public_key: KeyObject;
  /** The URL prefix of the witness's endpoints. */
  url: string;
}

/** The type of Ed25519 cosignatures. ML-DSA-44 cosignatures would need a newer Node. */
const COSIGNATURE_V1 = Uint8Array.of(4);
/**
 * The beginning of an Ed25519 public key in SubjectPublicKeyInfo (RFC 8410). The key's 32 bytes
 * follow.
 */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const TIMESTAMP_BYTES = 8;

/**
 * Parses one witness of LOG_WITNESSES, `NAME+ID+KEY URL`. Throws when the id does not match the
 * key.
 */
export function parseLogWitness(text: string): LogWitness {
  const [verifier_key = '', url = ''] = text.split(/\s+/);
  const [name = '', id = '', ...base64] = verifier_key.split('+');
  const key = Buffer.from(base64.join('+'), 'base64');
  const key_id = createHash('sha256').update(`${name}\n`).update(key).digest().subarray(0, 4);
  if (key.length !== 33 || key[0] !== COSIGNATURE_V1[0] || key_id.toString('hex') !== id)
    throw new Error(`LOG_WITNESSES: the key of ${name} is not an Ed25519 cosignature key with the id ${id}.`);
  const der = Buffer.concat([SPKI, key.subarray(1)]);
  return { name, key_id, public_key: createPublicKey({ key: der, format: 'der', type: 'spki' }), url };
}

/**
 * Returns the body of an add-checkpoint request: the size of the last cosigned tree, the
 * consistency proof, and the checkpoint.
 */
export const buildCosignatureRequest = (old_size: number, proof: readonly Buffer[], checkpoint: string): string =>
  [`old ${old_size}`, ...proof.map((hash) => hash.toString('base64')), '', checkpoint].join('\n');

/**
 * Returns the witness's cosignature line from its response, or null when no line is valid for the
 * checkpoint.
 */
export function findCosignatureLine(witness: LogWitness, checkpoint: string, answer: string): string | null {
  const text = checkpoint.slice(0, checkpoint.lastIndexOf('\n\n') + 1);
  const line = answer.split('\n').find((line) => {
    const [dash, name, base64, ...rest] = line.split(' ');
    const bytes = Buffer.from(base64 ?? '', 'base64');
    if (dash !== '—' || name !== witness.name || rest.length > 0 || !bytes.subarray(0, 4).equals(witness.key_id))
      return false;
    if (bytes.length !== 4 + TIMESTAMP_BYTES + 64) return false;
    const signed = `cosignature/v1\ntime ${bytes.readBigUInt64BE(4)}\n${text}`;
    return verify(null, Buffer.from(signed), witness.public_key, bytes.subarray(4 + TIMESTAMP_BYTES));
  });
  return line ? `${line}\n` : null;
}
