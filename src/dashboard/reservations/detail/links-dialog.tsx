'use client';
import { QrCode as QrIcon } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useEffect, useRef, useState } from 'react';
import { Refusal } from '../../properties/form-parts';
import { readError } from '../../read-error';
import { Button } from '../../ui/button';
import { CopyField } from '../../ui/copy-field';
import { Dialog } from '../../ui/overlay/dialog';
import { Skeleton } from '../../ui/skeleton';
import { useCopyLink, useShareLink } from '../queries';

const QrCode = dynamic(() => import('./qr-code'), {
  ssr: false,
  loading: () => <Skeleton className="mx-auto size-48" />,
});

/** The guest's own links. Fetched only when asked for: who holds the first can sign. */
export function LinksDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const links = useCopyLink(id, true);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="The guest’s links"
      description="Give them to this guest only. Whoever opens the signing link can sign."
    >
      <div className="grid gap-5">
        <Refusal refused={links.error ? readError(links.error) : null} />
        <div className="grid gap-1.5">
          <p className="font-medium text-sm">Signing link</p>
          {links.isPending ? <Skeleton className="h-9" /> : null}
          {links.data?.signingUrl ? <LinkWithCode url={links.data.signingUrl} label="signing link" /> : null}
          {links.data && !links.data.signingUrl ? (
            <None>There is none: the reservation is not open for signing.</None>
          ) : null}
        </div>
        <div className="grid gap-1.5">
          <p className="font-medium text-sm">Copy of what was signed</p>
          {links.isPending ? <Skeleton className="h-9" /> : null}
          {links.data?.copyUrl ? <CopyField value={links.data.copyUrl} label="copy link" /> : null}
          {links.data && !links.data.copyUrl ? <None>It comes with the signature.</None> : null}
        </div>
      </div>
    </Dialog>
  );
}

/** For a booking without an address: the guest opens it, enters an address, and gets the packet there. */
export function ShareDialog({ id, guest, onClose }: { id: string; guest: string; onClose: () => void }) {
  const share = useShareLink();
  const asked = useRef(false);
  const { mutate } = share;
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    mutate({ id });
  }, [id, mutate]);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="A link to share"
      description={`Send it to ${guest} through the channel’s own messages. Who opens it enters an e-mail address, confirms it with a code, and goes on to sign.`}
    >
      {share.error ? <Refusal refused={readError(share.error)} /> : null}
      {share.data ? <LinkWithCode url={share.data.url} label="share link" /> : null}
      {!share.data && !share.error ? <Skeleton className="h-9" /> : null}
    </Dialog>
  );
}

function LinkWithCode({ url, label }: { url: string; label: string }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="grid gap-3">
      <CopyField value={url} label={label} />
      <Button variant="secondary" size="sm" className="w-fit" aria-expanded={open} onClick={() => setOpen(!open)}>
        <QrIcon aria-hidden />
        {open ? 'Hide the QR code' : 'Show as a QR code'}
      </Button>
      {open ? <QrCode value={url} label={`QR code of the ${label}`} /> : null}
    </div>
  );
}

const None = ({ children }: { children: string }) => <p className="text-ink-soft text-sm">{children}</p>;
