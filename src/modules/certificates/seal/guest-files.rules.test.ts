import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ChainedTrailEntry } from '@/modules/trail/chain';
import type { CertificateRenderInput } from '../types';
import { getGuestFileHashes, listFileHashFieldsDifferingFromTrail } from './guest-files.rules';

describe('the fields whose hash differs from the signature’s entry', () => {
  const signed = { photo_sha256: 'p', drawn_signature_sha256: 'd' };
  it.each([
    ['are none when both hashes match', { photo_sha256: 'p', drawn_signature_sha256: 'd' }, signed, []],
    ['include a replaced photo', { photo_sha256: 'x', drawn_signature_sha256: 'd' }, signed, ['photo_sha256']],
    ['include a removed drawing', { photo_sha256: 'p' }, signed, ['drawn_signature_sha256']],
    ['include an added photo', { photo_sha256: 'x' }, { photo_sha256: null }, ['photo_sha256']],
    ['are none when the guest gave no files', {}, { photo_sha256: null, drawn_signature_sha256: null }, []],
    ['include both files when both are gone', {}, signed, ['photo_sha256', 'drawn_signature_sha256']],
    ['include a photo that the entry does not name', { photo_sha256: 'x' }, {}, ['photo_sha256']],
    ['include a photo without an entry', { photo_sha256: 'x' }, undefined, ['photo_sha256']],
  ])('%s', (_name, given, entry, differing) => {
    expect(listFileHashFieldsDifferingFromTrail(given, entry)).toEqual(differing);
  });
});

describe('the hashes to seal', () => {
  const drawing = Buffer.from('a drawing');
  const drawing_sha256 = createHash('sha256').update(drawing).digest('hex');
  const entry = (data: ChainedTrailEntry['data']) => ({ data }) as ChainedTrailEntry;
  const hashes = (signer: object, ...trail: ChainedTrailEntry[]) => {
    const { photo_sha256, drawn_signature_sha256 } = getGuestFileHashes({
      signer,
      trail,
    } as unknown as CertificateRenderInput);
    return [photo_sha256, drawn_signature_sha256];
  };
  const NAMED = entry({ photo_sha256: 'named p', drawn_signature_sha256: 'named d' });

  it('are those of the existing files, whatever the entry contains', () => {
    const given = { photo_sha256: 'p', drawn_signature_png: drawing };
    expect(hashes(given, NAMED)).toEqual(['p', drawing_sha256]);
    expect(hashes({}, NAMED)).toEqual([null, null]);
  });

  it('are those of the last entry for damaged files', () => {
    const given = { photo_sha256: 'p', drawn_signature_png: drawing };
    const earlier = entry({ photo_sha256: 'earlier', drawn_signature_sha256: 'earlier' });
    expect(hashes({ ...given, damaged: ['photo'] }, earlier, earlier, NAMED)).toEqual(['named p', drawing_sha256]);
    expect(hashes({ ...given, damaged: ['drawn_signature'] }, earlier, earlier, NAMED)).toEqual(['p', 'named d']);
  });

  it('are null when the entry has none or is missing', () => {
    expect(hashes({ damaged: ['photo', 'drawn_signature'] }, entry({ photo_sha256: 7 }))).toEqual([null, null]);
    expect(hashes({ damaged: ['photo', 'drawn_signature'] })).toEqual([null, null]);
  });
});
