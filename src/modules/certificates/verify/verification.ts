/**
 * Whether PDF, snapshot and trail agree (DESIGN "Guest's evidence"); for anyone who holds the verify token. Everything
 * is recomputed from what is stored; nothing is taken on faith.
 */
import { hashToken } from '@/infra/encryption';
import { type ChainedEntry, type ChainVerdict, verifyChain, verifyLinks } from '@/modules/trail/chain';
import { chainedEntry, listTrail } from '@/modules/trail/service';
import { sha256Hex } from '@/shared/canonical-json';
import type { Scope } from '@/shared/scope';
import * as repository from '../repository';
import { installationCertificate } from '../seal/installation-key';
import type { SignatureHead } from '../serializer';
import { verifySealedPdf } from './pdf';

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
  const entries = (await listTrail(scope, head.reservation_id)).map(chainedEntry);
  const content = head.redacted_at
    ? 'redacted'
    : snapshot && sha256Hex(snapshot.canonical) === head.content_hash
      ? 'intact'
      : 'mismatch';
  const { seal, anchor } = await verifySeal(scope, head);
  // Redaction empties the entries and keeps their hashes: then only the links between them can be followed. Otherwise the
  // sealed file's last entry must be in the chain: whoever rewrote all of the chain's hashes could not rewrite the seal.
  const chain = head.redacted_at ? verifyLinks(entries) : verifyChain(entries, anchor);
  return { head, content, chain, seal };
}

async function verifySeal(
  scope: Scope,
  head: SignatureHead,
): Promise<{ seal: Verification['seal']; anchor: ChainedEntry | null }> {
  if (head.redacted_at) return { seal: { state: 'removed' }, anchor: null };
  if (!head.sealed_at) return { seal: { state: 'pending' }, anchor: null };
  const invalid = { seal: { state: 'invalid', timestamp_authority: null }, anchor: null } as const;
  const stored = await repository.findPdf(scope, head.id);
  const certificate = await installationCertificate();
  if (!stored?.pdf || !certificate || sha256Hex(stored.pdf) !== head.pdf_sha256) return invalid;
  const { seal, timestamp, evidence } = await verifySealedPdf(stored.pdf, certificate);
  if (seal !== 'valid' || evidence?.certificate_id !== head.id) return invalid;
  return {
    seal: { state: 'sealed', timestamp_authority: timestamp?.authority ?? null },
    anchor: evidence.audit.entries.at(-1) ?? null,
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
