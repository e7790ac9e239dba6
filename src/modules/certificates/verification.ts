/**
 * Whether PDF, snapshot and trail agree (DESIGN "Guest's evidence"); for anyone who holds the verify token. Everything
 * is recomputed from what is stored; nothing is taken on faith.
 */
import { hashToken } from '@/infra/encryption';
import { chainedEntry } from '@/modules/reservations/trail';
import { sha256Hex } from '@/shared/canonical-json';
import type { Scope } from '@/shared/scope';
import { installationCertificate } from './installation-key';
import * as repository from './repository';
import type { SignatureHead } from './serializer';
import { type ChainVerdict, verifyChain, verifyLinks } from './trail';
import { verifySealedPdf } from './verify-pdf';

export interface Verification {
  head: SignatureHead;
  content: 'intact' | 'mismatch' | 'redacted';
  chain: ChainVerdict;
  seal: { state: 'pending' | 'removed' } | { state: 'sealed' | 'invalid'; timestamp_authority: string | null };
}

export interface TokenHolder {
  scope: Scope;
  head: SignatureHead;
}

function holderOf(row: (SignatureHead & { team_id: string; mode: 'live' | 'test' }) | null): TokenHolder | null {
  return row ? { scope: { team_id: row.team_id, mode: row.mode, actor: { kind: 'guest' } }, head: row } : null;
}

/** The certificate of a verify token, or null. */
export async function openVerifyToken(token: string): Promise<TokenHolder | null> {
  return holderOf(await repository.findByVerifyToken(hashToken(token)));
}

/** The certificate of a guest's copy token, or null. */
export async function openCopyToken(token: string): Promise<TokenHolder | null> {
  return holderOf(await repository.findByCopyToken(hashToken(token)));
}

/** Recomputes content hash, chain and seal. */
export async function verifyCertificate({ scope, head }: TokenHolder): Promise<Verification> {
  const snapshot = await repository.findSnapshot(scope, head.snapshot_id);
  const entries = (await repository.findTrail(scope, head.reservation_id)).map(chainedEntry);
  const content = head.redacted_at
    ? 'redacted'
    : snapshot && sha256Hex(snapshot.canonical) === head.content_hash
      ? 'intact'
      : 'mismatch';
  // Redaction empties the entries and keeps their hashes: then only the links between them can be followed.
  const chain = head.redacted_at ? verifyLinks(entries) : verifyChain(entries);
  return { head, content, chain, seal: await verifySeal(scope, head) };
}

async function verifySeal(scope: Scope, head: SignatureHead): Promise<Verification['seal']> {
  if (head.redacted_at) return { state: 'removed' };
  if (!head.sealed_at) return { state: 'pending' };
  const stored = await repository.findPdf(scope, head.id);
  const certificate = await installationCertificate();
  if (!stored?.pdf || sha256Hex(stored.pdf) !== head.pdf_sha256) return { state: 'invalid', timestamp_authority: null };
  const verdict = await verifySealedPdf(stored.pdf, certificate ?? undefined);
  const sealed = verdict.seal === 'valid' && verdict.covers_whole_document;
  return {
    state: sealed ? 'sealed' : 'invalid',
    timestamp_authority: sealed ? (verdict.timestamp?.authority ?? null) : null,
  };
}

/** The sealed PDF's bytes, or null while there is none. */
export async function readPdf({ scope, head }: TokenHolder): Promise<Uint8Array | null> {
  return (await repository.findPdf(scope, head.id))?.pdf ?? null;
}

/** What a copy page shows of the snapshot. */
export async function readSnapshot({ scope, head }: TokenHolder) {
  return repository.findSnapshot(scope, head.snapshot_id);
}

/** The drawn signature, encrypted as stored. */
export async function readDrawing({
  scope,
  head,
}: TokenHolder): Promise<{ drawn_signature: Uint8Array | null; consent_version: string } | null> {
  return repository.findWhole(scope, head.id);
}

/** The property of a certificate for its branding; null when it was deleted. */
export async function readProperty({ scope, head }: TokenHolder) {
  return repository.findProperty(scope, head.property_id);
}
