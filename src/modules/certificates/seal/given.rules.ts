/** What a guest gave beside the name, photo and drawing, as it is sealed: by its hashes. Pure. */
import type { ChainedEntry } from '@/modules/trail/chain';
import { sha256Hex } from '@/shared/canonical-json';
import type { CertificateInput } from '../types';

export const GIVEN = ['photo_sha256', 'drawn_signature_sha256'] as const;
type Given = Partial<Record<(typeof GIVEN)[number], string | null | undefined>>;

/** The hashes that differ from those the signature's entry names. */
export function differingGiven(given: Given, signed: ChainedEntry['data'] = {}): (typeof GIVEN)[number][] {
  return GIVEN.filter((field) => (given[field] ?? null) !== (signed[field] ?? null));
}

/** What is sealed as the hashes of what the guest gave: of what cannot be read any more, those that the signature's entry names. */
export function givenHashes({ signer, trail }: Pick<CertificateInput, 'signer' | 'trail'>) {
  const { drawn_signature_png: drawing, photo_sha256, damaged = [] } = signer;
  const named = (field: (typeof GIVEN)[number]) => {
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
