/** What the check of a certificate's evidence found. Pages in the browser read it: it imports nothing. */

/**
 * - `verified`: the seal holds, and every stored fact is the sealed one.
 * - `altered`: the seal holds, and stored facts differ from it. The values are the sealed ones.
 * - `unverified`: there is no file whose seal holds. The values are the stored ones and prove nothing.
 * - `pending`, `redacted`: there is no sealed file yet, or no more. The values are the stored ones.
 */
export const EVIDENCE_STATUSES = ['verified', 'altered', 'unverified', 'pending', 'redacted'] as const;
export type EvidenceStatus = (typeof EVIDENCE_STATUSES)[number];
