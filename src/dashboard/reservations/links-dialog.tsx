'use client';
import { readError } from '../read-error';
import { CopyField } from '../ui/copy-field';
import { Dialog } from '../ui/dialog';
import { Skeleton } from '../ui/skeleton';
import { useCopyLink } from './queries';

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
      <div className="grid gap-4">
        <div className="grid gap-1.5">
          <p className="font-medium text-sm">Signing link</p>
          {links.isPending ? <Skeleton className="h-9" /> : null}
          {links.error ? <p className="text-danger text-sm">{readError(links.error).message}</p> : null}
          {links.data?.signingUrl ? <CopyField value={links.data.signingUrl} label="signing link" /> : null}
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

const None = ({ children }: { children: string }) => <p className="text-ink-soft text-sm">{children}</p>;
