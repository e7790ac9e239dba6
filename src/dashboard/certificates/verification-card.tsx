'use client';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDashed, CircleMinus, CircleX, ExternalLink, type LucideIcon } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import type { NamespaceTranslator } from '../i18n/namespace-translator';
import { QueryErrorPanel } from '../query-error';
import { useTRPC } from '../trpc';
import type { CertificateVerification } from '../types';
import { Card, CardBody, CardHeader } from '../ui/card';
import { cn } from '../ui/cn';
import { AnchorButton } from '../ui/link-button';
import { Skeleton } from '../ui/skeleton';

type Tone = 'good' | 'bad' | 'wait' | 'none';
type T = NamespaceTranslator<'certificates'>;
interface Check {
  title: string;
  text: string;
  tone: Tone;
}

const ICONS: Record<Tone, { Icon: LucideIcon; className: string }> = {
  good: { Icon: CircleCheck, className: 'text-success' },
  bad: { Icon: CircleX, className: 'text-danger' },
  wait: { Icon: CircleDashed, className: 'text-info' },
  none: { Icon: CircleMinus, className: 'text-ink-soft' },
};

const CONTENT: Record<CertificateVerification['content'], Tone> = { intact: 'good', mismatch: 'bad', redacted: 'none' };

/** Returns the checks as titles with texts and colours. */
function checksOf({ content, chain, seal, log, differences }: CertificateVerification, t: T): Check[] {
  const changed = differences.filter((column) => !column.startsWith('trail_entries.'));
  const named = changed.length > 0 ? ` ${t('not_what_was_sealed', { names: changed.slice(0, 10).join(', ') })}` : '';
  const chain_text = chain.ok
    ? t(content === 'redacted' ? 'chain_redacted' : 'chain_holds', { entries: chain.entries })
    : t('chain_broken', { seq: chain.broken_seq ?? 0 });
  return [
    { title: t('check_content'), tone: CONTENT[content], text: t(`content_${content}`) + named },
    { title: t('audit_trail'), tone: chain.ok ? 'good' : 'bad', text: chain_text },
    sealCheck(seal, t),
    logCheck(log, t),
  ];
}

const LOG: Record<CertificateVerification['log']['state'], Tone> = {
  included: 'good',
  missing: 'bad',
  none: 'wait',
};

const logCheck = ({ state, index }: CertificateVerification['log'], t: T): Check => ({
  title: t('public_log'),
  tone: LOG[state],
  text: t(`log_${state}`, { entry: (index ?? 0) + 1 }),
});

type SealTimestamp = Extract<CertificateVerification['seal'], { state: 'sealed' }>['timestamp'];

const SEAL: Record<CertificateVerification['seal']['state'], Tone> = {
  sealed: 'good',
  pending: 'wait',
  removed: 'none',
  invalid: 'bad',
};

function sealCheck(seal: CertificateVerification['seal'], t: T): Check {
  const stamp = 'timestamp' in seal ? seal.timestamp : null;
  const time = seal.state === 'sealed' ? ` ${timeOf(stamp, t)}` : '';
  return { title: t('seal'), tone: SEAL[seal.state], text: t(`seal_${seal.state}`) + time };
}

/** Describes who issued the time in the seal. */
function timeOf(stamp: SealTimestamp, t: T): string {
  if (!stamp) return t('time_is_our_own');
  const { authority } = stamp;
  if (stamp.problem) return t('time_proves_nothing', { authority, problem: stamp.problem });
  const time = stamp.time.slice(0, 19).replace('T', ' ');
  return t(stamp.known ? 'time_confirmed' : 'time_confirmed_by_unknown', { authority, time });
}

/** Shows the verification, which is recomputed from the stored data each time the page opens. */
export function CertificateVerificationCard({ id, verify_url }: { id: string; verify_url: string | null }) {
  const t = useTranslations('certificates');
  const trpc = useTRPC();
  const verification = useQuery(trpc.certificates.verify.queryOptions({ id }));
  return (
    <Card>
      <CardHeader title={t('verification')} description={t('recomputed_just_now_from_what_is_stored')} />
      {verification.data ? (
        <CardBody className="grid gap-4">
          <ul aria-label={t('checks')} className="grid gap-3.5">
            {checksOf(verification.data, t).map(({ title, text, tone }) => {
              const { Icon, className } = ICONS[tone];
              return (
                <li key={title} className="flex gap-3 text-sm">
                  <Icon className={cn('mt-0.5 size-5 shrink-0', className)} aria-hidden />
                  <div className="grid min-w-0 gap-0.5 leading-relaxed">
                    <p className="font-medium">
                      {title} <span className="sr-only">: {t(`tone_${tone}`)}</span>
                    </p>
                    <p className="text-ink-soft">{text}</p>
                  </div>
                </li>
              );
            })}
          </ul>
          {verify_url ? (
            <AnchorButton
              variant="secondary"
              size="sm"
              className="w-fit"
              href={verify_url}
              target="_blank"
              rel="noreferrer"
            >
              <ExternalLink aria-hidden /> {t('public_verification_page')}
              <span className="sr-only">{t('opens_a_new_tab')}</span>
            </AnchorButton>
          ) : null}
        </CardBody>
      ) : verification.error ? (
        <QueryErrorPanel title={t('the_verification_could_not_be_made')} query={verification} />
      ) : (
        <CardBody className="grid gap-4" aria-busy>
          {['content', 'trail', 'seal'].map((check) => (
            <Skeleton key={check} className="h-10" />
          ))}
        </CardBody>
      )}
    </Card>
  );
}
