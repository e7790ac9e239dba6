/** Who may have a certificate's sealed PDF, and the links to it. Decides from the certificate as it is now. Pure. */

/** The guest, by the copy's token or a mail; the team, by a session, a key, or a short link that one of these was given. */
export type PdfReader = 'guest' | 'team';

export type PdfAccess = 'granted' | 'unsealed' | 'redacted' | 'revoked';

export function pdfAccess(
  reader: PdfReader,
  certificate: { sealed_at: Date | null; redacted_at: Date | null; copy_revoked_at: Date | null },
): PdfAccess {
  if (certificate.redacted_at) return 'redacted';
  if (reader === 'guest' && certificate.copy_revoked_at) return 'revoked';
  return certificate.sealed_at ? 'granted' : 'unsealed';
}
