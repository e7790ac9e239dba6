import { Badge } from '../ui/badge';

/** A certificate's state in one word; a hold is said beside it. */
export function CertificateState({
  row,
}: {
  row: { redacted: boolean; legal_hold: boolean; pdf_available: boolean; seal_error?: string | null };
}) {
  const state = row.redacted ? (
    <Badge tone="warning">Redacted</Badge>
  ) : row.pdf_available ? (
    <Badge tone="success">Sealed</Badge>
  ) : row.seal_error ? (
    <Badge tone="danger">Waiting for its seal</Badge>
  ) : (
    <Badge tone="info">Being sealed</Badge>
  );
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {state}
      {row.legal_hold ? <Badge tone="violet">Legal hold</Badge> : null}
    </span>
  );
}
