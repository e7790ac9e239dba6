/** Decides who may download a certificate's sealed PDF and see the links to it. Pure. */

/**
 * A guest opens the PDF through the copy link or from a mail. The team uses a session, an API key
 * or a short link.
 */
export type PdfRequester = 'guest' | 'team';

export type PdfAccessDecision = 'granted' | 'unsealed' | 'redacted' | 'revoked';

export function decidePdfAccess(
  reader: PdfRequester,
  certificate: { sealed_at: Date | null; redacted_at: Date | null; copy_revoked_at: Date | null },
): PdfAccessDecision {
  if (certificate.redacted_at) return 'redacted';
  if (reader === 'guest' && certificate.copy_revoked_at) return 'revoked';
  return certificate.sealed_at ? 'granted' : 'unsealed';
}
