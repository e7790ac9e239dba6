/** Requests timestamps from the configured RFC 3161 authority. */

import { randomBytes, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import forge from 'node-forge';
import { config } from '@/config';
import { safeFetch } from '@/infra/outbound/client';
import { requestCheckpointTimestamp } from '@/modules/public-log/service';
import { clock } from '@/shared/clock';
import type { TimestampAuthority } from '../types';
import { parseCertificates } from '../verify/signed-data';
import { checkTimestamp, isIssuedByAnyAuthority } from '../verify/timestamp';
import {
  decodeDer,
  encodeAsn1AlgorithmIdentifier,
  encodeAsn1Integer,
  encodeAsn1OctetString,
  encodeAsn1Sequence,
  encodeDer,
  getAsn1Children,
  getAsn1Octets,
} from './cms';

const { asn1 } = forge;
const MAX_TOKEN_BYTES = 64 * 1024;

function request(digest: Uint8Array, nonce: Buffer): Buffer {
  const imprint = encodeAsn1Sequence(
    encodeAsn1AlgorithmIdentifier('sha256'),
    encodeAsn1OctetString(Buffer.from(digest)),
  );
  const wants_certificates = asn1.create(asn1.Class.UNIVERSAL, asn1.Type.BOOLEAN, false, '\xff');
  return encodeDer(
    encodeAsn1Sequence(
      encodeAsn1Integer('\x01'),
      imprint,
      encodeAsn1Integer(nonce.toString('binary')),
      wants_certificates,
    ),
  );
}

/**
 * Returns the token of a TimeStampResp with status 0 (granted) or 1 (granted with modifications).
 */
function tokenOf(response: Buffer): Uint8Array {
  const [status, token] = getAsn1Children(decodeDer(response));
  const code = getAsn1Octets(getAsn1Children(status)[0])[0];
  if (!token || code === undefined || code > 1) throw new Error('The timestamp authority refused the request.');
  return new Uint8Array(encodeDer(token));
}

/** Returns a random positive number in the shortest DER encoding. */
function newNonce(): Buffer {
  const nonce = randomBytes(12);
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40;
  return nonce;
}

/** The maximum difference between the authority's clock and this server's clock. */
const MAX_SKEW_MS = 10 * 60_000;

/**
 * Throws unless the token is for this request, has the current time, and is from an authority of
 * TSA_CA_FILE if that is configured.
 */
async function assertValidToken(token: Uint8Array, digest: Uint8Array, nonce: Buffer): Promise<void> {
  const checked = checkTimestamp(token, () => Buffer.from(digest));
  if (checked.nonce !== nonce.toString('hex')) throw new Error('The timestamp authority answered a different request.');
  const skew_ms = Date.parse(checked.time) - clock().now().getTime();
  if (Math.abs(skew_ms) > MAX_SKEW_MS)
    throw new Error(`The timestamp authority’s time is ${Math.round(skew_ms / 60_000)} minutes from this server’s.`);
  if (config().tsa_ca_file && !isIssuedByAnyAuthority(checked.last, await configuredRoots()))
    throw new Error('The timestamp authority is not one of TSA_CA_FILE.');
}

async function configuredRoots(): Promise<X509Certificate[]> {
  const { tsa_ca_file } = config();
  return tsa_ca_file ? parseCertificates(await readFile(tsa_ca_file, 'utf8')) : [];
}

/** Throws an Error with a message for the operator when TSA_CA_FILE contains no certificates. */
export async function assertTimestampRootsFileUsable(): Promise<void> {
  const { tsa_ca_file } = config();
  if (!tsa_ca_file) return;
  const found = await configuredRoots().catch(() => []);
  if (found.length === 0)
    throw new Error(`TSA_CA_FILE: has to be a file with PEM certificates; it is “${tsa_ca_file}”.`);
}

/**
 * Returns whether an authority's certificate chains to a root in TSA_CA_FILE or to a public TLS
 * root.
 */
export async function isTrustedTimestampAuthority(pem: string): Promise<boolean> {
  const last = new X509Certificate(pem);
  return (
    isIssuedByAnyAuthority(last, await configuredRoots()) ||
    isIssuedByAnyAuthority(
      last,
      rootCertificates.map((root) => new X509Certificate(root)),
    )
  );
}

/**
 * Returns the authority of TSA_URL, or undefined when it is not configured. The sealing job is
 * retried when the authority fails.
 */
export function getConfiguredTimestampAuthority(): TimestampAuthority | undefined {
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
      // The operator configured this address, so it may be in a private network.
      allow_loopback: true,
    });
    if (response.status !== 200) throw new Error(`The timestamp authority answered ${response.status}.`);
    const token = tokenOf(response.body);
    await assertValidToken(token, digest, nonce);
    return token;
  };
}

/**
 * Requests a timestamp for the public log's newest checkpoint from the authority of TSA_URL, if
 * configured. Returns whether it stored a timestamp. Throws when the authority is unreachable, so
 * that the job is retried.
 */
export async function requestTimestampForPublicLog(): Promise<boolean> {
  const authority = getConfiguredTimestampAuthority();
  return authority ? requestCheckpointTimestamp(authority) : false;
}
