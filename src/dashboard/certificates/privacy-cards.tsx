'use client';
import { useId, useState } from 'react';
import { OWNERS_ONLY } from '../settings/owners-only';
import { useMe } from '../shell/me';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { CopyField } from '../ui/copy-field';
import { DateTime } from '../ui/date-time';
import { Label } from '../ui/form/field';
import { Switch } from '../ui/form/switch';
import { ConfirmDialog } from '../ui/overlay/confirm-dialog';
import { toast } from '../ui/overlay/toaster';
import { type CertificateFacts, useRedact, useSetCopyRevoked, useSetLegalHold } from './queries';

interface SwitchLineProps {
  label: string;
  hint: string;
  checked: boolean;
  pending: boolean;
  /** Why it cannot be changed by this person. */
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

/** Keeps everything as it is, whatever else is asked for. */
export function LegalHoldCard({ certificate }: { certificate: CertificateFacts }) {
  const { user } = useMe();
  const set = useSetLegalHold();
  const shown = set.isPending ? set.variables.legal_hold : certificate.legal_hold;
  return (
    <Card>
      <CardHeader title="Legal hold" />
      <CardBody>
        <SwitchLine
          label="Hold this certificate"
          hint="While it is held, nothing of it can be redacted, deleted or removed for its age, and its property must stay."
          checked={shown}
          pending={set.isPending}
          refused={user.role === 'owner' ? null : OWNERS_ONLY}
          onChange={(legal_hold) =>
            set.mutate(
              { id: certificate.id, legal_hold },
              { onSuccess: () => void toast.success(legal_hold ? 'Held from now on.' : 'The hold is lifted.') },
            )
          }
        />
      </CardBody>
    </Card>
  );
}

/** The link on which the guest finds what they signed. */
export function GuestCopyCard({ certificate }: { certificate: CertificateFacts }) {
  const { user } = useMe();
  const set = useSetCopyRevoked();
  const { copy } = certificate;
  if (!copy) return null;
  const works = set.isPending ? !set.variables.revoked : copy.revoked_at === null;
  return (
    <Card>
      <CardHeader title="The guest’s copy" />
      <CardBody className="grid gap-4">
        <SwitchLine
          label="The link works"
          hint="Where the guest reads and downloads what they signed. Turned off, it says so."
          checked={works}
          pending={set.isPending}
          refused={user.role === 'owner' ? null : OWNERS_ONLY}
          onChange={(on) => set.mutate({ id: certificate.id, revoked: !on })}
        />
        {works ? <CopyField value={copy.url} label="the guest’s copy link" /> : null}
      </CardBody>
    </Card>
  );
}

/** For good. What goes and what stays is said before anything is pressed. */
export function RedactionCard({ certificate }: { certificate: CertificateFacts }) {
  const { user } = useMe();
  const [asking, setAsking] = useState(false);
  const redact = useRedact(() => {
    setAsking(false);
    toast.success('The guest’s data is gone.');
  });
  if (certificate.redacted) {
    return (
      <Card>
        <CardHeader title="Redacted" />
        <CardBody className="text-sm leading-relaxed">
          The guest’s data was removed on <DateTime value={certificate.redacted_at} />. The hashes and the fact of the
          signature remain.
        </CardBody>
      </Card>
    );
  }
  const refused =
    user.role !== 'owner'
      ? OWNERS_ONLY
      : certificate.legal_hold
        ? 'The certificate is under legal hold. Lift the hold first.'
        : null;
  return (
    <Card>
      <CardHeader title="Redact the guest’s data" description="It cannot be undone." />
      <CardBody className="grid gap-4 text-sm leading-relaxed">
        <ul className="grid list-disc gap-1 pl-5">
          <li>Name, address, IP, photo and drawing go, from the reservation, mail, events and logs too.</li>
          <li>The PDF goes: its download says that it was redacted.</li>
          <li>That someone signed, when, and the hashes stay.</li>
        </ul>
        <div className="grid justify-items-start gap-2">
          <Button
            variant="danger"
            disabledReason={refused}
            aria-describedby={refused ? 'redaction-refused' : undefined}
            onClick={() => setAsking(true)}
          >
            Redact the guest’s data
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
        title={`Redact the data of ${certificate.signer_name}?`}
        typed="redact"
        confirmLabel="Redact for good"
        pending={redact.isPending}
        onConfirm={() => redact.mutate({ id: certificate.id, confirm: 'redact' })}
      >
        Everything that tells who signed is removed, here and in what was kept of mail, events and logs. Nobody can
        bring it back. Download the PDF first if you have to keep it elsewhere.
      </ConfirmDialog>
    </Card>
  );
}
