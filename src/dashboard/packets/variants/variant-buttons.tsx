'use client';
import { Archive, ArchiveRestore, Copy, PenLine, Star, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog';
import { toast } from '../../ui/overlay/toaster';
import { useVariantAction, type Variant } from '../queries';
import { refusalOf } from './reasons';

interface VariantButtonsProps {
  variant: Variant;
  /** Why there can be no more active packets; null when there can. */
  full: string | null;
  onRename?: () => void;
  onCopy: () => void;
  /** After anything but deletion; the new state is on the server. Said to be done once this is. */
  onChanged?: () => void | Promise<void>;
  onDeleted?: () => void;
}

/** What can be done with a variant. A button that cannot act says why. */
export function VariantButtons({ variant: packet, full, onRename, onCopy, onChanged, onDeleted }: VariantButtonsProps) {
  const [deleting, setDeleting] = useState(false);
  const did = (text: string) => async () => {
    await onChanged?.();
    toast.success(text);
  };
  const restore = useVariantAction('restore', did(`${packet.name} is active again.`));
  const archive = useVariantAction('archive', async () => {
    await onChanged?.();
    toast.success(`${packet.name} is archived.`, {
      action: { label: 'Undo', onClick: () => restore.mutate({ id: packet.id }) },
    });
  });
  const setDefault = useVariantAction('set_default', did(`${packet.name} is the default.`));
  const remove = useVariantAction('delete', () => {
    setDeleting(false);
    toast.success(`${packet.name} is deleted.`);
    onDeleted?.();
  });
  const archived = packet.status === 'archived';
  const named = (verb: string) => `${verb} ${packet.name}`;
  return (
    <div className="flex flex-wrap gap-1.5">
      {onRename ? (
        <Button
          variant="secondary"
          size="sm"
          aria-label={named('Rename')}
          disabledReason={refusalOf(packet, 'edit')}
          onClick={onRename}
        >
          <PenLine aria-hidden />
          Rename
        </Button>
      ) : null}
      <Button variant="secondary" size="sm" aria-label={named('Copy')} disabledReason={full} onClick={onCopy}>
        <Copy aria-hidden />
        Copy
      </Button>
      <Button
        variant="secondary"
        size="sm"
        aria-label={named('Make default:')}
        disabledReason={refusalOf(packet, 'set_default')}
        pending={setDefault.isPending}
        onClick={() => setDefault.mutate({ id: packet.id })}
      >
        <Star aria-hidden />
        Make default
      </Button>
      {archived ? (
        <Button
          variant="secondary"
          size="sm"
          aria-label={named('Restore')}
          disabledReason={refusalOf(packet, 'restore')}
          pending={restore.isPending}
          onClick={() => restore.mutate({ id: packet.id })}
        >
          <ArchiveRestore aria-hidden />
          Restore
        </Button>
      ) : (
        <Button
          variant="secondary"
          size="sm"
          aria-label={named('Archive')}
          disabledReason={refusalOf(packet, 'archive')}
          pending={archive.isPending}
          onClick={() => archive.mutate({ id: packet.id })}
        >
          <Archive aria-hidden />
          Archive
        </Button>
      )}
      <Button
        variant="secondary"
        size="sm"
        aria-label={named('Delete')}
        disabledReason={refusalOf(packet, 'delete')}
        onClick={() => setDeleting(true)}
      >
        <Trash2 aria-hidden />
        Delete
      </Button>
      <ConfirmDialog
        open={deleting}
        onOpenChange={setDeleting}
        danger
        title={`Delete ${packet.name}?`}
        confirmLabel="Delete it"
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ id: packet.id })}
      >
        Its rules, fees, arrival details and history go with it. No reservation was given this packet.
      </ConfirmDialog>
    </div>
  );
}
