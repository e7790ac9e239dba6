'use client';
import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { useAuditTrailActorDescriber, useAuditTrailEntryDescriber } from '../reservations/trail-words';
import type { AuditTrail, CertificateWithAuditTrail } from '../types';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { CopyableId } from '../ui/copy-field';
import { DateTime } from '../ui/date-time';
import { notifyComponentLoadFailure } from '../ui/lazy-component';

/** Downloads the value as a JSON file. */
function saveJson(name: string, value: unknown): void {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * Downloads the audit trail as the API returns it, without the fields that exist only for this
 * page.
 */
async function saveAudit(certificate: CertificateWithAuditTrail): Promise<void> {
  const { CertificateWithTrail } = await import('@/modules/certificates/schemas');
  saveJson(`certificate-${certificate.id}-audit.json`, CertificateWithTrail.parse(certificate));
}

/**
 * Lists every entry of the audit trail with its actor, IP address, and the hash that chains it to
 * the previous entry.
 */
export function AuditTrailCard({ certificate, zone }: { certificate: CertificateWithAuditTrail; zone: string | null }) {
  const t = useTranslations('certificates');
  const { audit_trail } = certificate;
  return (
    <Card>
      <CardHeader
        title={t('audit_trail')}
        description={t('each_entrys_hash_covers_the_entry_and')}
        actions={
          <Button
            variant="secondary"
            size="sm"
            onClick={() => void saveAudit(certificate).catch(notifyComponentLoadFailure)}
          >
            <Download aria-hidden /> {t('audit_json')}
          </Button>
        }
      />
      <ol aria-label={t('audit_trail')} className="divide-y">
        {audit_trail.entries.map((entry) => (
          <Entry key={entry.seq} entry={entry} actor={certificate.trail_actors[entry.seq] ?? null} zone={zone} />
        ))}
      </ol>
    </Card>
  );
}

interface EntryProps {
  entry: AuditTrail['entries'][number];
  actor: CertificateWithAuditTrail['trail_actors'][string];
  zone: string | null;
}

function Entry({ entry, actor, zone }: EntryProps) {
  const t = useTranslations('certificates');
  const say = useAuditTrailEntryDescriber();
  const by = useAuditTrailActorDescriber();
  return (
    <li className="grid gap-1 px-5 py-3.5 text-sm sm:grid-cols-[2rem_minmax(0,1fr)] sm:gap-3">
      <span className="text-ink-soft tabular-nums" aria-hidden>
        {entry.seq}
      </span>
      <div className="grid min-w-0 gap-0.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <p className="font-medium">{say(entry)}</p>
          <span className="text-ink-soft text-xs">
            <DateTime value={entry.created_at} zone={zone} seconds />
          </span>
        </div>
        <p className="break-words text-ink-soft text-xs">
          {actor ? by(actor) : t('someone_unknown')}
          {entry.ip ? ` · ${entry.ip}` : null}
        </p>
        {typeof entry.data.embedded_in === 'string' ? (
          <p className="break-words text-ink-soft text-xs">
            {t('shown_inside_a_page_of_another_site', { origin: entry.data.embedded_in })}
          </p>
        ) : null}
        {entry.user_agent ? <p className="break-words text-ink-soft text-xs">{entry.user_agent}</p> : null}
        <p className="min-w-0 text-ink-soft text-xs">
          <CopyableId value={entry.hash} label={t('hash_of_entry_seq', { seq: entry.seq })} />
        </p>
      </div>
    </li>
  );
}
