/** The sealed hashes of a guest's photo and drawing. Pure. */
import type { ChainedTrailEntry } from '@/modules/trail/chain';
import { sha256Hex } from '@/shared/canonical-json';
import type { CertificateRenderInput } from '../types';

export const GUEST_FILE_HASH_FIELDS = ['photo_sha256', 'drawn_signature_sha256'] as const;
type FileHashes = Partial<Record<(typeof GUEST_FILE_HASH_FIELDS)[number], string | null | undefined>>;

/** Returns those hash fields of the guest's files that differ from the signature's trail entry. */
export function listFileHashFieldsDifferingFromTrail(
  hashes: FileHashes,
  signed: ChainedTrailEntry['data'] = {},
): (typeof GUEST_FILE_HASH_FIELDS)[number][] {
  return GUEST_FILE_HASH_FIELDS.filter((field) => (hashes[field] ?? null) !== (signed[field] ?? null));
}

/**
 * Returns the hashes to seal. The hash of a damaged file comes from the signature's trail entry.
 */
export function getGuestFileHashes({ signer, trail }: Pick<CertificateRenderInput, 'signer' | 'trail'>) {
  const { drawn_signature_png: drawing, photo_sha256, damaged = [] } = signer;
  const named = (field: (typeof GUEST_FILE_HASH_FIELDS)[number]) => {
    const hash = trail.at(-1)?.data[field];
    return typeof hash === 'string' ? hash : null;
  };
  return {
    photo_sha256: damaged.includes('photo') ? named('photo_sha256') : (photo_sha256 ?? null),
    drawn_signature_sha256: damaged.includes('drawn_signature')
      ? named('drawn_signature_sha256')
      : drawing
        ? sha256Hex(drawing)
        : null,
  };
}
