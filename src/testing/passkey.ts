/** A software authenticator (WebAuthn Level 2, ES256), which answers challenges like a browser. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const url64 = (data: Buffer) => data.toString('base64url');

/** Encodes the CBOR types (RFC 8949) that credentials use. */
function cbor(value: unknown): Buffer {
  const head = (major: number, length: number) =>
    length < 24
      ? Buffer.from([(major << 5) | length])
      : length < 256
        ? Buffer.from([(major << 5) | 24, length])
        : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

interface Ceremony {
  challenge: string;
}

/** Creates a passkey. `verifies` is whether it verifies its user (fingerprint, face or PIN). */
export function createTestPasskey(origin: string, { verifies = true, rp_id = new URL(origin).hostname } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let counter = 0;
  const clientData = (type: string, { challenge }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const flags = (attested: boolean) => 1 | (verifies ? 4 : 0) | (attested ? 64 : 0);
  const authData = (attested: Buffer | null) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(++counter);
    return Buffer.concat([sha256(rp_id), Buffer.from([flags(attested !== null)]), count, attested ?? Buffer.alloc(0)]);
  };
  const credential = (response: object) => ({ id: url64(id), rawId: url64(id), type: 'public-key', response });
  return {
    id: url64(id),
    /** Returns the result of `navigator.credentials.create`. */
    register(options: Ceremony) {
      const key = cbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      );
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData(attested)],
      ]);
      return credential({
        clientDataJSON: url64(clientData('webauthn.create', options)),
        attestationObject: url64(cbor(attestation)),
        transports: ['internal'],
      });
    },
    /** Returns the result of `navigator.credentials.get`. */
    use(options: Ceremony) {
      const client = clientData('webauthn.get', options);
      const data = authData(null);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return credential({
        clientDataJSON: url64(client),
        authenticatorData: url64(data),
        signature: url64(signature),
      });
    },
  };
}
