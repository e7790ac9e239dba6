'use client';
import { Camera, Download, FileText, FolderDown } from 'lucide-react';
import { useState } from 'react';
import { Notice } from '../developers/notice';
import { NotFoundOrError } from '../not-found-or-error';
import { paths } from '../paths';
import { readError } from '../read-error';
import { OWNERS_ONLY } from '../settings/owners-only';
import { useMe } from '../shell/me';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader, FactLines } from '../ui/card';
import { CopyableId } from '../ui/copy-field';
import { DateTime } from '../ui/date-time';
import { Link } from '../ui/link';
import { Dialog } from '../ui/overlay/dialog';
import { PageHeader } from '../ui/page-header';
import { Skeleton } from '../ui/skeleton';
import { GuestCopyCard, LegalHoldCard, RedactionCard } from './privacy-cards';
import { type CertificateFacts, useCertificate, useDisputePack, usePhoto } from './queries';
import { CertificateState } from './state-badge';
import { TrailCard } from './trail-card';
import { VerificationCard } from './verification-card';

const back = { href: paths.certificates, label: 'Certificates' };
const COLUMNS = 'grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]';

export function CertificateDetail({ id }: { id: string }) {
  const certificate = useCertificate(id);
  if (!certificate.data) {
    if (certificate.error) return <LoadError error={certificate.error} onRetry={() => void certificate.refetch()} />;
    return (
      <div aria-busy="true">
        <PageHeader back={back} title={null} />
        <div className={COLUMNS}>
          <Skeleton className="h-96 rounded-xl" />
          <Skeleton className="h-64 rounded-xl" />
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
        title={row.redacted ? 'Redacted guest' : row.signer_name}
        badge={<CertificateState row={row} />}
        description={
          row.property ? `Signed for ${row.property.name}.` : 'Signed for a property that was deleted since.'
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
          <TrailCard certificate={row} zone={zone} />
        </div>
        <div className="grid min-w-0 gap-6">
          <VerificationCard id={row.id} verify_url={row.verify_url} />
          <SignatureCard certificate={row} zone={zone} />
          <GuestCopyCard certificate={row} />
          <LegalHoldCard certificate={row} />
          <RedactionCard certificate={row} />
        </div>
      </div>
    </>
  );
}

/** The path on this host: the public address may name another one. */
const pdfPath = ({ verify_url }: CertificateFacts) => `${new URL(verify_url ?? '').pathname}/certificate.pdf`;

/** One click: the link is asked for, and works for a quarter of an hour. */
function DisputePack({ certificate }: { certificate: CertificateFacts }) {
  const pack = useDisputePack();
  const ready = certificate.pdf_available || certificate.redacted;
  return (
    <Button
      variant="secondary"
      pending={pack.isPending}
      disabledReason={ready ? null : 'The PDF is being sealed.'}
      onClick={() => pack.mutate(certificate.id)}
    >
      <FolderDown aria-hidden /> Dispute pack
    </Button>
  );
}

function DownloadPdf({ certificate }: { certificate: CertificateFacts }) {
  if (!certificate.pdf_available) {
    const reason = certificate.redacted ? 'The PDF was removed by the redaction.' : 'The PDF is being sealed.';
    return (
      <Button variant="secondary" disabledReason={reason}>
        <Download aria-hidden /> Download PDF
      </Button>
    );
  }
  return (
    <Button asChild>
      <a href={pdfPath(certificate)} download={certificate.file_name}>
        <Download aria-hidden /> Download PDF
      </a>
    </Button>
  );
}

function PdfCard({ certificate }: { certificate: CertificateFacts }) {
  if (certificate.redacted) {
    return (
      <Notice tone="warning" title="The guest’s data was redacted">
        On <DateTime value={certificate.redacted_at} />. The PDF went with it; its hash and the trail remain.
      </Notice>
    );
  }
  if (!certificate.pdf_available) {
    return (
      <Notice tone={certificate.seal_error ? 'warning' : 'info'} title="The PDF is being sealed">
        {certificate.seal_error
          ? `The last try did not work (${certificate.seal_error}). It is tried again every few minutes; the signature stands meanwhile.`
          : 'It takes some seconds. The signature stands meanwhile.'}
      </Notice>
    );
  }
  return (
    <Card>
      <CardHeader
        title="Sealed PDF"
        description="As the guest and anyone who verifies it get it."
        actions={
          <Button asChild variant="secondary" size="sm">
            <a href={pdfPath(certificate)} target="_blank" rel="noreferrer">
              <FileText aria-hidden /> Open
              <span className="sr-only">(opens a new tab)</span>
            </a>
          </Button>
        }
      />
      {/* A phone's browser shows no PDF inside a page: there, the button opens it. */}
      <iframe
        src={`${pdfPath(certificate)}#toolbar=0&view=FitH`}
        title="The sealed PDF"
        loading="lazy"
        className="hidden h-[36rem] w-full bg-muted md:block"
      />
      <CardBody className="grid gap-1 text-xs md:border-t">
        <span className="text-ink-soft">SHA-256 of the file</span>
        <span className="min-w-0">
          <CopyableId value={certificate.pdf_sha256 ?? ''} label="SHA-256 of the file" />
        </span>
      </CardBody>
    </Card>
  );
}

function SignatureCard({ certificate: row, zone }: { certificate: CertificateFacts; zone: string | null }) {
  const language = new Intl.DisplayNames(['en'], { type: 'language' }).of(row.locale) ?? row.locale;
  return (
    <Card>
      <CardHeader title="Signature" />
      <CardBody className="grid gap-4">
        <FactLines
          items={[
            { label: 'Signed', value: <DateTime value={row.signed_at} zone={zone} seconds /> },
            { label: 'By', value: row.signer_name },
            ...(row.signer_email ? [{ label: 'E-mail', value: row.signer_email }] : []),
            ...(row.redacted
              ? []
              : [{ label: 'Code', value: row.otp_confirmed ? 'Confirmed by e-mail' : 'Not asked for' }]),
            ...(row.signed_ip ? [{ label: 'IP', value: row.signed_ip }] : []),
            { label: 'Language', value: language },
            { label: 'Consent', value: `Text of ${row.consent_version}` },
            ...(row.has_drawing ? [{ label: 'Drawing', value: 'In the PDF' }] : []),
            { label: 'Sealed', value: <DateTime value={row.sealed_at} zone={zone} seconds /> },
            {
              label: 'Reservation',
              value: row.reservation_exists ? (
                <Link
                  href={paths.reservation(row.reservation_id)}
                  className="break-all font-mono text-primary text-xs underline underline-offset-4"
                >
                  {row.reservation_id}
                </Link>
              ) : (
                <span className="text-ink-soft">Deleted</span>
              ),
            },
            { label: 'Content hash', value: <CopyableId value={row.content_hash ?? ''} label="content hash" /> },
            { label: 'Id', value: <CopyableId value={row.id} label="certificate id" /> },
          ]}
        />
        {row.has_photo ? <Photo id={row.id} name={row.signer_name} /> : null}
      </CardBody>
    </Card>
  );
}

/** Loaded only when the owner asks for it. */
function Photo({ id, name }: { id: string; name: string }) {
  const { user } = useMe();
  const [open, setOpen] = useState(false);
  const photo = usePhoto(id, open);
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        className="w-fit"
        disabledReason={user.role === 'owner' ? null : OWNERS_ONLY}
        onClick={() => setOpen(true)}
      >
        <Camera aria-hidden /> Show the photo
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={`Photo of ${name}`} size="sm">
        {photo.data?.data_url ? (
          // biome-ignore lint/performance/noImgElement: a data URL; there is nothing to optimise.
          <img src={photo.data.data_url} alt={`Taken by ${name} at signing`} className="w-full rounded-lg" />
        ) : photo.error ? (
          <p role="alert">{readError(photo.error).message}</p>
        ) : (
          <Skeleton className="aspect-square w-full" />
        )}
      </Dialog>
    </>
  );
}

function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <>
      <PageHeader back={back} title="Certificate" />
      <NotFoundOrError
        error={error}
        noun="certificate"
        list={{ href: paths.certificates, label: 'All certificates' }}
        onRetry={onRetry}
      />
    </>
  );
}
