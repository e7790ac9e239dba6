import { useTranslations } from 'use-intl/react';
import { Badge } from '../ui/badge';

/** A certificate's state as one word. A legal hold has its own badge next to it. */
export function CertificateStateBadge({
  row,
}: {
  row: { redacted: boolean; legal_hold: boolean; pdf_available: boolean; seal_error?: string | null };
}) {
  const t = useTranslations('certificates');
  const state = row.redacted ? (
    <Badge tone="warning">{t('redacted')}</Badge>
  ) : row.pdf_available ? (
    <Badge tone="success">{t('sealed')}</Badge>
  ) : row.seal_error ? (
    <Badge tone="danger">{t('waiting_for_its_seal')}</Badge>
  ) : (
    <Badge tone="info">{t('being_sealed')}</Badge>
  );
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {state}
      {row.legal_hold ? <Badge tone="violet">{t('legal_hold')}</Badge> : null}
    </span>
  );
}
