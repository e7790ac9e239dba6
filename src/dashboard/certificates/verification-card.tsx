'use client';
import { CircleCheck, CircleDashed, CircleMinus, CircleX, ExternalLink, type LucideIcon } from 'lucide-react';
import { readError } from '../read-error';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { cn } from '../ui/cn';
import { ErrorPanel } from '../ui/error-panel';
import { Skeleton } from '../ui/skeleton';
import { useVerification, type Verification } from './queries';

type Tone = 'good' | 'bad' | 'wait' | 'none';
interface Check {
  title: string;
  text: string;
  tone: Tone;
}

const ICONS: Record<Tone, { Icon: LucideIcon; className: string; word: string }> = {
  good: { Icon: CircleCheck, className: 'text-success', word: 'Holds' },
  bad: { Icon: CircleX, className: 'text-danger', word: 'Does not hold' },
  wait: { Icon: CircleDashed, className: 'text-info', word: 'Waiting' },
  none: { Icon: CircleMinus, className: 'text-ink-soft', word: 'No longer checked' },
};

const CONTENT: Record<Verification['content'], Omit<Check, 'title'>> = {
  intact: { tone: 'good', text: 'What the guest agreed to has the hash that was signed.' },
  mismatch: { tone: 'bad', text: 'What is stored is not what the guest signed: it was changed afterwards.' },
  redacted: { tone: 'none', text: 'The content was redacted; its hash remains.' },
};

/** The checks in words. */
export function checksOf({ content, chain, seal, log, differences }: Verification): Check[] {
  const redacted = content === 'redacted';
  const changed = differences.filter((column) => !column.startsWith('trail_entries.'));
  const named = changed.length > 0 ? ` Not what was sealed: ${changed.slice(0, 10).join(', ')}.` : '';
  return [
    { title: 'Content', ...CONTENT[content], ...(named && { text: `${CONTENT[content].text}${named}` }) },
    chain.ok
      ? {
          title: 'Audit trail',
          tone: 'good',
          text: redacted
            ? `The ${chain.entries} entries still follow each other; what they said about the guest was redacted.`
            : `All ${chain.entries} entries are as they were written.`,
        }
      : { title: 'Audit trail', tone: 'bad', text: `The chain is broken at entry ${chain.broken_seq}.` },
    sealCheck(seal),
    logCheck(log),
  ];
}

function logCheck({ state, index }: Verification['log']): Check {
  const title = 'Public log';
  switch (state) {
    case 'included':
      return { title, tone: 'good', text: `The file is entry ${(index ?? 0) + 1} of the public log.` };
    case 'waiting':
      return { title, tone: 'wait', text: 'It was sealed before there was a public log, and will be entered soon.' };
    case 'missing':
      return { title, tone: 'bad', text: 'The file is not in the public log.' };
    case 'none':
      return { title, tone: 'wait', text: 'It is entered when it is sealed.' };
  }
}

type SealTimestamp = Extract<Verification['seal'], { state: 'sealed' }>['timestamp'];

function sealCheck(seal: Verification['seal']): Check {
  const title = 'Seal';
  switch (seal.state) {
    case 'sealed': {
      const stamp = 'timestamp' in seal ? seal.timestamp : null;
      const text = `The PDF is the one that was sealed, and the seal covers all of it. ${timeOf(stamp)}`;
      return { title, tone: 'good', text };
    }
    case 'pending':
      return { title, tone: 'wait', text: 'The PDF is being sealed. The signature stands meanwhile.' };
    case 'removed':
      return { title, tone: 'none', text: 'The PDF was removed by the redaction.' };
    case 'invalid':
      return { title, tone: 'bad', text: 'The stored PDF is not the one that was sealed.' };
  }
}

/** Which kind of time the seal has. */
function timeOf(stamp: SealTimestamp): string {
  if (!stamp) return 'Its time is this server’s own.';
  if (stamp.problem) return `The timestamp of ${stamp.authority} proves nothing: ${stamp.problem}`;
  const who = stamp.known ? stamp.authority : `${stamp.authority}, an authority that is not known here,`;
  return `${who} confirms the time: ${stamp.time.slice(0, 19).replace('T', ' ')} UTC.`;
}

/** Recomputed from what is stored, each time the page is opened. */
export function VerificationCard({ id, verify_url }: { id: string; verify_url: string | null }) {
  const verification = useVerification(id);
  return (
    <Card>
      <CardHeader title="Verification" description="Recomputed just now from what is stored." />
      {verification.data ? (
        <CardBody className="grid gap-4">
          <ul aria-label="Checks" className="grid gap-3.5">
            {checksOf(verification.data).map(({ title, text, tone }) => {
              const { Icon, className, word } = ICONS[tone];
              return (
                <li key={title} className="flex gap-3 text-sm">
                  <Icon className={cn('mt-0.5 size-5 shrink-0', className)} aria-hidden />
                  <div className="grid min-w-0 gap-0.5 leading-relaxed">
                    <p className="font-medium">
                      {title} <span className="sr-only">: {word}</span>
                    </p>
                    <p className="text-ink-soft">{text}</p>
                  </div>
                </li>
              );
            })}
          </ul>
          {verify_url ? (
            <Button asChild variant="secondary" size="sm" className="w-fit">
              <a href={verify_url} target="_blank" rel="noreferrer">
                <ExternalLink aria-hidden /> Public verification page
                <span className="sr-only">(opens a new tab)</span>
              </a>
            </Button>
          ) : null}
        </CardBody>
      ) : verification.error ? (
        <ErrorPanel
          title="The verification could not be made"
          message={readError(verification.error).message}
          requestId={readError(verification.error).request_id}
          onRetry={() => void verification.refetch()}
        />
      ) : (
        <CardBody className="grid gap-4" aria-busy>
          {['Content', 'Audit trail', 'Seal'].map((check) => (
            <Skeleton key={check} className="h-10" />
          ))}
        </CardBody>
      )}
    </Card>
  );
}
