'use client';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useMe } from '../shell/me';
import { useTRPC } from '../trpc';
import type { CertificateWithAuditTrail } from '../types';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { CopyField } from '../ui/copy-field';
import { DateTime } from '../ui/date-time';
import { Label } from '../ui/form/field';
import { Switch } from '../ui/form/switch';
import { HelpLink } from '../ui/help-link';
import { ConfirmDialog } from '../ui/overlay/confirm-dialog';
import { toast } from '../ui/overlay/toaster';

interface SwitchLineProps {
  label: string;
  hint: string;
  checked: boolean;
  pending: boolean;
  /** The reason why this user may not change the setting. Null when the user may change it. */
  refused: string | null;
  onChange: (checked: boolean) => void;
}

function SwitchLine({ label, hint, checked, pending, refused, onChange }: SwitchLineProps) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <div className="flex items-center justify-between gap-4">
        <Label htmlFor={id}>{label}</Label>
        <Switch
          id={id}
          checked={checked}
          disabled={pending || refused !== null}
          aria-describedby={`${id}-hint`}
          onCheckedChange={onChange}
        />
      </div>
      <p id={`${id}-hint`} className="text-ink-soft text-sm leading-relaxed">
        {hint}
        {refused ? <span className="mt-1 block text-ink">{refused}</span> : null}
      </p>
    </div>
  );
}

/** Sets or ends the legal hold, which prevents every deletion and redaction. */
export function LegalHoldCard({ certificate }: { certificate: CertificateWithAuditTrail }) {
  const t = useTranslations('certificates');
  const ui = useTranslations('ui');
  const { user } = useMe();
  const trpc = useTRPC();
  const set = useMutation(trpc.certificates.set_legal_hold.mutationOptions());
  const shown = set.isPending ? set.variables.legal_hold : certificate.legal_hold;
  return (
    <Card>
      <CardHeader title={t('legal_hold')} />
      <CardBody>
        <SwitchLine
          label={t('hold_this_certificate')}
          hint={t('while_it_is_held_nothing_of_it')}
          checked={shown}
          pending={set.isPending}
          refused={user.role === 'owner' ? null : ui('owners_only')}
          onChange={(legal_hold) =>
            set.mutate(
              { id: certificate.id, legal_hold },
              { onSuccess: () => void toast.success(legal_hold ? t('held_from_now_on') : t('the_hold_is_lifted')) },
            )
          }
        />
      </CardBody>
    </Card>
  );
}

/** Shows the link with which the guest opens their copy. */
export function SignedCopyLinkCard({ certificate }: { certificate: CertificateWithAuditTrail }) {
  const t = useTranslations('certificates');
  const ui = useTranslations('ui');
  const { user } = useMe();
  const trpc = useTRPC();
  const set = useMutation(trpc.certificates.set_copy_revoked.mutationOptions());
  const { copy } = certificate;
  if (!copy) return null;
  const works = set.isPending ? !set.variables.revoked : copy.revoked_at === null;
  return (
    <Card>
      <CardHeader title={t('the_guests_copy')} />
      <CardBody className="grid gap-4">
        <SwitchLine
          label={t('the_link_works')}
          hint={t('where_the_guest_reads_and_downloads_what')}
          checked={works}
          pending={set.isPending}
          refused={user.role === 'owner' ? null : ui('owners_only')}
          onChange={(on) => set.mutate({ id: certificate.id, revoked: !on })}
        />
        {works ? <CopyField value={copy.url} label={t('the_guests_copy_link')} /> : null}
      </CardBody>
    </Card>
  );
}

/** Redacts a certificate permanently. The dialog lists what is deleted and what stays. */
export function RedactCertificateCard({ certificate }: { certificate: CertificateWithAuditTrail }) {
  const t = useTranslations('certificates');
  const ui = useTranslations('ui');
  const { user } = useMe();
  const [asking, setAsking] = useState(false);
  const trpc = useTRPC();
  const redact = useMutation(
    trpc.certificates.redact.mutationOptions({
      onSuccess: () => {
        setAsking(false);
        toast.success(t('the_guests_data_is_gone'));
      },
    }),
  );
  if (certificate.redacted) {
    return (
      <Card>
        <CardHeader title={t('redacted')} />
        <CardBody className="text-sm leading-relaxed">
          {t.rich('the_guests_data_was_removed_on_the', { time: () => <DateTime value={certificate.redacted_at} /> })}
        </CardBody>
      </Card>
    );
  }
  const refused =
    user.role !== 'owner'
      ? ui('owners_only')
      : certificate.legal_hold
        ? t('the_certificate_is_under_legal_hold_lift')
        : null;
  return (
    <Card>
      <CardHeader
        title={t('redact_the_guests_data')}
        description={
          <>
            {t('it_cannot_be_undone')} <HelpLink page="data-requests" />
          </>
        }
      />
      <CardBody className="grid gap-4 text-sm leading-relaxed">
        <ul className="grid list-disc gap-1 pl-5">
          <li>{t('name_address_ip_photo_and_drawing_go')}</li>
          <li>{t('the_pdf_goes_its_download_says_that')}</li>
          <li>{t('that_someone_signed_when_and_the_hashes')}</li>
        </ul>
        <div className="grid justify-items-start gap-2">
          <Button
            variant="danger"
            disabledReason={refused}
            aria-describedby={refused ? 'redaction-refused' : undefined}
            onClick={() => setAsking(true)}
          >
            {t('redact_the_guests_data')}
          </Button>
          {refused ? (
            <p id="redaction-refused" className="text-ink-soft">
              {refused}
            </p>
          ) : null}
        </div>
      </CardBody>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        danger
        title={t('redact_the_data_of_signer_name', { signer_name: certificate.signer_name })}
        typed="redact"
        confirmLabel={t('redact_for_good')}
        pending={redact.isPending}
        onConfirm={() => redact.mutate({ id: certificate.id, confirm: 'redact' })}
      >
        {t('everything_that_tells_who_signed_is_removed')}
      </ConfirmDialog>
    </Card>
  );
}
