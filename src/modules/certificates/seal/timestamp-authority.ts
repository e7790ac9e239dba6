/** Asks the configured RFC 3161 authority for a timestamp, so that not even the operator can back-date a seal. */
import { randomBytes, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import forge from 'node-forge';
import { config } from '@/config';
import { safeFetch } from '@/infra/outbound/client';
import { clock } from '@/shared/clock';
import type { TimestampAuthority } from '../types';
import { certificatesIn } from '../verify/pem';
import { checkTimestamp, endsAt } from '../verify/timestamp';

const { asn1 } = forge;
const SHA256_OID = '2.16.840.1.101.3.4.2.1';
const MAX_TOKEN_BYTES = 64 * 1024;

function request(digest: Uint8Array, nonce: Buffer): Buffer {
  const { Class, Type, create } = asn1;
  const integer = (bytes: string) => create(Class.UNIVERSAL, Type.INTEGER, false, bytes);
  const oid = create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(SHA256_OID).getBytes());
  const algorithm = create(Class.UNIVERSAL, Type.SEQUENCE, true, [oid, create(Class.UNIVERSAL, Type.NULL, false, '')]);
  const hashed = create(Class.UNIVERSAL, Type.OCTETSTRING, false, Buffer.from(digest).toString('binary'));
  const imprint = create(Class.UNIVERSAL, Type.SEQUENCE, true, [algorithm, hashed]);
  const certificates = create(Class.UNIVERSAL, Type.BOOLEAN, false, '\xff');
  const query = create(Class.UNIVERSAL, Type.SEQUENCE, true, [
    integer('\x01'),
    imprint,
    integer(nonce.toString('binary')),
    certificates,
  ]);
  return Buffer.from(asn1.toDer(query).getBytes(), 'binary');
}

/** The token of a TimeStampResp whose status is granted (0) or granted with modifications (1). */
function tokenOf(response: Buffer): Uint8Array {
  const [status, token] = asn1.fromDer(response.toString('binary')).value as forge.asn1.Asn1[];
  const code = (status?.value as forge.asn1.Asn1[] | undefined)?.[0]?.value as string | undefined;
  if (!token || code === undefined || code.charCodeAt(0) > 1) {
    throw new Error('The timestamp authority refused the request.');
  }
  return new Uint8Array(Buffer.from(asn1.toDer(token).getBytes(), 'binary'));
}

/** As DER writes it: positive, in the fewest bytes. */
function newNonce(): Buffer {
  const nonce = randomBytes(12);
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40;
  return nonce;
}

/** The authority answers at once, and both clocks are kept. */
const MOST_APART_MS = 10 * 60_000;

/** Throws unless it answers this question, now, and comes from whom TSA_CA_FILE names. */
async function assertTrue(token: Uint8Array, digest: Uint8Array, nonce: Buffer): Promise<void> {
  const checked = checkTimestamp(token, () => Buffer.from(digest));
  if (checked.nonce !== nonce.toString('hex')) throw new Error('The timestamp authority answered another question.');
  const apart_ms = Date.parse(checked.time) - clock().now().getTime();
  if (Math.abs(apart_ms) > MOST_APART_MS)
    throw new Error(`The timestamp authority’s time is ${Math.round(apart_ms / 60_000)} minutes from this server’s.`);
  if (config().tsa_ca_file && !endsAt(checked.last, await ofFile()))
    throw new Error('The timestamp authority is not one of TSA_CA_FILE.');
}

async function ofFile(): Promise<X509Certificate[]> {
  const { tsa_ca_file } = config();
  return tsa_ca_file ? certificatesIn(await readFile(tsa_ca_file, 'utf8')) : [];
}

/** Throws with a sentence for the operator when TSA_CA_FILE names a file without certificates. */
export async function assertTimeAuthorities(): Promise<void> {
  const { tsa_ca_file } = config();
  if (!tsa_ca_file) return;
  const found = await ofFile().catch(() => []);
  if (found.length === 0)
    throw new Error(`TSA_CA_FILE: has to be a file with PEM certificates; it is “${tsa_ca_file}”.`);
}

/** Whether the last certificate of a timestamp's chain is of an authority that is known: in TSA_CA_FILE, or as web sites' are. */
export async function isKnownAuthority(pem: string): Promise<boolean> {
  const last = new X509Certificate(pem);
  return (
    endsAt(last, await ofFile()) ||
    endsAt(
      last,
      rootCertificates.map((root) => new X509Certificate(root)),
    )
  );
}

/** The authority of TSA_URL, or undefined when none is configured. Its failures make the seal wait and be retried. */
export function configuredAuthority(): TimestampAuthority | undefined {
  const url = config().tsa_url;
  if (!url) return undefined;
  return async (digest) => {
    const nonce = newNonce();
    const response = await safeFetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/timestamp-query', Accept: 'application/timestamp-reply' },
      body: request(digest, nonce),
      timeout_ms: 15_000,
      max_body_bytes: MAX_TOKEN_BYTES,
      body_policy: 'whole',
      // The operator chose this address, and it may well stand in their own network.
      allow_loopback: true,
    });
    if (response.status !== 200) throw new Error(`The timestamp authority answered ${response.status}.`);
    const token = tokenOf(response.body);
    await assertTrue(token, digest, nonce);
    return token;
  };
}
