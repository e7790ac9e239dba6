/** Asks the configured RFC 3161 authority for a timestamp, so that not even the operator can back-date a seal. */
import forge from 'node-forge';
import { config } from '@/config';
import { safeFetch } from '@/infra/outbound/client';
import type { TimestampAuthority } from '../types';

const { asn1 } = forge;
const SHA256_OID = '2.16.840.1.101.3.4.2.1';
const MAX_TOKEN_BYTES = 64 * 1024;

function request(digest: Uint8Array): Buffer {
  const { Class, Type, create } = asn1;
  const integer = (bytes: string) => create(Class.UNIVERSAL, Type.INTEGER, false, bytes);
  const oid = create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(SHA256_OID).getBytes());
  const algorithm = create(Class.UNIVERSAL, Type.SEQUENCE, true, [oid, create(Class.UNIVERSAL, Type.NULL, false, '')]);
  const hashed = create(Class.UNIVERSAL, Type.OCTETSTRING, false, Buffer.from(digest).toString('binary'));
  const imprint = create(Class.UNIVERSAL, Type.SEQUENCE, true, [algorithm, hashed]);
  const certificates = create(Class.UNIVERSAL, Type.BOOLEAN, false, '\xff');
  const query = create(Class.UNIVERSAL, Type.SEQUENCE, true, [integer('\x01'), imprint, certificates]);
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

/** The authority of TSA_URL, or undefined when none is configured. Its failures make the seal wait and be retried. */
export function configuredAuthority(): TimestampAuthority | undefined {
  const url = config().tsa_url;
  if (!url) return undefined;
  return async (digest) => {
    const response = await safeFetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/timestamp-query', Accept: 'application/timestamp-reply' },
      body: request(digest),
      timeout_ms: 15_000,
      max_body_bytes: MAX_TOKEN_BYTES,
      body_policy: 'whole',
      // The operator chose this address, and it may well stand in their own network.
      allow_loopback: true,
    });
    if (response.status !== 200) throw new Error(`The timestamp authority answered ${response.status}.`);
    return tokenOf(response.body);
  };
}
