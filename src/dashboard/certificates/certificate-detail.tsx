'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Camera, Download, FileText, FolderDown } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../developers/notice';
import { useFormattingLocale } from '../i18n/formats';
import { NotFoundOrErrorCard } from '../not-found-or-error';
import { paths } from '../paths';
import { toDisplayableError } from '../read-error';
import { useMe } from '../shell/me';
import { useTRPC, useTRPCClient } from '../trpc';
import type { CertificateWithAuditTrail } from '../types';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader, CompactDescriptionList } from '../ui/card';
import { CopyableId } from '../ui/copy-field';
import { DateTime } from '../ui/date-time';
import { Link } from '../ui/link';
import { AnchorButton } from '../ui/link-button';
import { Dialog } from '../ui/overlay/dialog';
import { PageHeader } from '../ui/page-header';
import { Skeleton } from '../ui/skeleton';
import { LegalHoldCard, RedactCertificateCard, SignedCopyLinkCard } from './privacy-cards';
import { CertificateStateBadge } from './state-badge';
import { AuditTrailCard } from './trail-card';
import { CertificateVerificationCard } from './verification-card';

function useBack() {
  const t = useTranslations('certificates');
  return { href: paths.certificates, label: t('certificates') };
}
const COLUMNS = 'grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]';

export function CertificateDetail({ id }: { id: string }) {
  const back = useBack();
  const t = useTranslations('certificates');
  const trpc = useTRPC();
  // Refetches until the certificate is sealed, which takes a few seconds.
  const certificate = useQuery(
    trpc.certificates.retrieve.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (state.data && !state.data.sealed_at && !state.data.redacted ? 2_000 : false) },
    ),
  );
  if (!certificate.data) {
    if (certificate.error) return <LoadError error={certificate.error} onRetry={() => void certificate.refetch()} />;
    return (
      <div aria-busy="true">
        <PageHeader back={back} title={null} />
        <div className={COLUMNS}>
          <Skeleton className="h-96 rounded-xl!" />
          <Skeleton className="h-64 rounded-xl!" />
        </div>
      </div>
    );
  }
  const row = certificate.data;
  const zone = row.property?.timezone ?? null;
  return (
    <>
      <PageHeader
        back={back}
        title={row.redacted ? t('redacted_guest') : row.signer_name}
        badge={<CertificateStateBadge row={row} />}
        help="disputes"
        description={
          row.property ? t('signed_for_name', { name: row.property.name }) : t('signed_for_a_property_that_was_deleted')
        }
        actions={
          <>
            <DisputePack certificate={row} />
            <DownloadPdf certificate={row} />
          </>
        }
      />
      <div className={COLUMNS}>
        <div className="grid min-w-0 gap-6">
          <PdfCard certificate={row} />
          <AuditTrailCard certificate={row} zone={zone} />
        </div>
        <div className="grid min-w-0 gap-6">
          <CertificateVerificationCard id={row.id} verify_url={row.verify_url} />
          <SignatureCard certificate={row} zone={zone} />
          <SignedCopyLinkCard certificate={row} />
          <LegalHoldCard certificate={row} />
          <RedactCertificateCard certificate={row} />
        </div>
      </div>
    </>
  );
}

/** Returns the path of the PDF for the signed-in user. */
const usePdfPath = ({ id }: CertificateWithAuditTrail) => paths.certificate_pdf(useMe(), { id });

/** The button that downloads the dispute pack. */
function DisputePack({ certificate }: { certificate: CertificateWithAuditTrail }) {
  const t = useTranslations('certificates');
  const pack = useDisputePack();
  const ready = certificate.pdf_available || certificate.redacted;
  return (
    <Button
      variant="secondary"
      pending={pack.isPending}
      disabledReason={ready ? null : t('the_pdf_is_being_sealed')}
      onClick={() => pack.mutate(certificate.id)}
    >
      <FolderDown aria-hidden /> {t('dispute_pack')}
    </Button>
  );
}

function DownloadPdf({ certificate }: { certificate: CertificateWithAuditTrail }) {
  const t = useTranslations('certificates');
  const path = usePdfPath(certificate);
  if (!certificate.pdf_available) {
    const reason = certificate.redacted ? t('the_pdf_was_removed_by_the_redaction') : t('the_pdf_is_being_sealed');
    return (
      <Button variant="secondary" disabledReason={reason}>
        <Download aria-hidden /> {t('download_pdf')}
      </Button>
    );
  }
  return (
    <AnchorButton href={path} download={certificate.file_name}>
      <Download aria-hidden /> {t('download_pdf')}
    </AnchorButton>
  );
}

function PdfCard({ certificate }: { certificate: CertificateWithAuditTrail }) {
  const t = useTranslations('certificates');
  const path = usePdfPath(certificate);
  if (certificate.redacted) {
    return (
      <Notice tone="warning" title={t('the_guests_data_was_redacted')}>
        {t.rich('on_the_pdf_went_with_it_its', { time: () => <DateTime value={certificate.redacted_at} /> })}
      </Notice>
    );
  }
  if (!certificate.pdf_available) {
    return (
      <Notice tone={certificate.seal_error ? 'warning' : 'info'} title={t('the_pdf_is_being_sealed_2')}>
        {certificate.seal_error
          ? t('the_last_try_did_not_work_seal', { seal_error: certificate.seal_error })
          : t('it_takes_some_seconds_the_signature_stands')}
      </Notice>
    );
  }
  return (
    <Card>
      <CardHeader
        title={t('sealed_pdf')}
        description={t('as_the_guest_and_anyone_who_verifies')}
        actions={
          <AnchorButton variant="secondary" size="sm" href={path} target="_blank" rel="noreferrer">
            <FileText aria-hidden /> {t('open')}
            <span className="sr-only">{t('opens_a_new_tab')}</span>
          </AnchorButton>
        }
      />
      {/* Hidden on phones, whose browsers cannot show a PDF inside a page. The button above opens
          the PDF in a new tab. */}
      <iframe
        src={`${path}#toolbar=0&view=FitH`}
        title={t('the_sealed_pdf')}
        loading="lazy"
        className="hidden h-[36rem] w-full bg-muted md:block"
      />
      <CardBody className="grid gap-1 text-xs md:border-t">
        <span className="text-ink-soft">{t('sha_256_of_the_file')}</span>
        <span className="min-w-0">
          <CopyableId value={certificate.pdf_sha256 ?? ''} label={t('sha_256_of_the_file')} />
        </span>
      </CardBody>
    </Card>
  );
}

function SignatureCard({ certificate: row, zone }: { certificate: CertificateWithAuditTrail; zone: string | null }) {
  const t = useTranslations('certificates');
  const formats = useFormattingLocale();
  const language = new Intl.DisplayNames([formats], { type: 'language' }).of(row.locale) ?? row.locale;
  return (
    <Card>
      <CardHeader title={t('signature')} />
      <CardBody className="grid gap-4">
        <CompactDescriptionList
          items={[
            { label: t('signed'), value: <DateTime value={row.signed_at} zone={zone} seconds /> },
            { label: t('by'), value: row.signer_name },
            ...(row.signer_email ? [{ label: t('e_mail'), value: row.signer_email }] : []),
            ...(row.redacted
              ? []
              : [{ label: t('code'), value: row.otp_confirmed ? t('confirmed_by_e_mail') : t('not_asked_for') }]),
            ...(row.signed_ip ? [{ label: t('ip'), value: row.signed_ip }] : []),
            { label: t('language'), value: language },
            { label: t('consent'), value: t('text_of_consent_version', { consent_version: row.consent_version }) },
            ...(row.has_drawing ? [{ label: t('drawing'), value: t('in_the_pdf') }] : []),
            { label: t('sealed'), value: <DateTime value={row.sealed_at} zone={zone} seconds /> },
            {
              label: t('reservation'),
              value: row.reservation_exists ? (
                <Link
                  href={paths.reservation(row.reservation_id)}
                  className="break-all font-mono text-primary text-xs underline underline-offset-4"
                >
                  {row.reservation_id}
                </Link>
              ) : (
                <span className="text-ink-soft">{t('deleted')}</span>
              ),
            },
            {
              label: t('content_hash'),
              value: <CopyableId value={row.content_hash ?? ''} label={t('content_hash_2')} />,
            },
            { label: t('id'), value: <CopyableId value={row.id} label={t('certificate_id')} /> },
          ]}
        />
        {row.has_photo ? <Photo id={row.id} name={row.signer_name} /> : null}
      </CardBody>
    </Card>
  );
}

/** Shows the guest's photo. It is loaded only when the owner opens it. */
function Photo({ id, name }: { id: string; name: string }) {
  const t = useTranslations('certificates');
  const ui = useTranslations('ui');
  const { user } = useMe();
  const [open, setOpen] = useState(false);
  const trpc = useTRPC();
  // The photo stays in memory only while it is shown.
  const photo = useQuery(trpc.certificates.photo.queryOptions({ id }, { enabled: open, gcTime: 0, staleTime: 0 }));
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        className="w-fit"
        disabledReason={user.role === 'owner' ? null : ui('owners_only')}
        onClick={() => setOpen(true)}
      >
        <Camera aria-hidden /> {t('show_the_photo')}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={t('photo_of_name', { name })} size="sm">
        {photo.data?.data_url ? (
          // biome-ignore lint/performance/noImgElement: a data URL; there is nothing to optimise.
          <img src={photo.data.data_url} alt={t('taken_by_name_at_signing', { name })} className="w-full rounded-lg" />
        ) : photo.error ? (
          <p role="alert">{toDisplayableError(photo.error).message}</p>
        ) : (
          <Skeleton className="aspect-square w-full" />
        )}
      </Dialog>
    </>
  );
}

function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const back = useBack();
  const t = useTranslations('certificates');
  return (
    <>
      <PageHeader back={back} title={t('certificate')} />
      <NotFoundOrErrorCard
        error={error}
        noun={t('certificate_2')}
        list={{ href: paths.certificates, label: t('all_certificates') }}
        onRetry={onRetry}
      />
    </>
  );
}

/** Starts the download of a dispute pack. */
function useDisputePack() {
  const client = useTRPCClient();
  return useMutation({
    mutationFn: async (id: string) => {
      const { url } = await client.certificates.dispute_pack.query({ id });
      // Uses only the path, because the public URL may have another host name than this page.
      const { pathname, search } = new URL(url);
      window.location.assign(pathname + search);
    },
  });
}
