'use client';
import { useMutation } from '@tanstack/react-query';
import { Archive, ArchiveRestore, Copy, PenLine, Star, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { usePermissions } from '../../shell/me';
import { useTRPC } from '../../trpc';
import type { PacketDetail } from '../../types';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog';
import { toast } from '../../ui/overlay/toaster';
import { getVariantActionRefusalReason } from './reasons';

interface VariantButtonsProps {
  variant: PacketDetail;
  /** The reason why no further packet can be activated. Null below the limit. */
  full: string | null;
  onRename?: () => void;
  onCopy: () => void;
  /**
   * Called after any action except deletion, once the server has the new state. The success message
   * is shown when the promise resolves.
   */
  onChanged?: () => void | Promise<void>;
  onDeleted?: () => void;
}

/** The buttons for a packet. A disabled button explains why it is disabled. */
export function VariantButtons({ variant: packet, full, onRename, onCopy, onChanged, onDeleted }: VariantButtonsProps) {
  const t = useTranslations('packets');
  const trpc = useTRPC();
  const [deleting, setDeleting] = useState(false);
  const did = (text: string) => async () => {
    await onChanged?.();
    toast.success(text);
  };
  const restore = useMutation(
    trpc.packets.restore.mutationOptions({ onSuccess: did(t('packet_is_active_again', { packet: packet.name })) }),
  );
  const archive = useMutation(
    trpc.packets.archive.mutationOptions({
      onSuccess: async () => {
        await onChanged?.();
        toast.success(t('packet_is_archived', { packet: packet.name }), {
          action: { label: t('undo'), onClick: () => restore.mutate({ id: packet.id }) },
        });
      },
    }),
  );
  const setDefault = useMutation(
    trpc.packets.set_default.mutationOptions({ onSuccess: did(t('packet_is_the_default', { packet: packet.name })) }),
  );
  const remove = useMutation(
    trpc.packets.delete.mutationOptions({
      onSuccess: () => {
        setDeleting(false);
        toast.success(t('packet_is_deleted', { packet: packet.name }));
        onDeleted?.();
      },
    }),
  );
  const { manages } = usePermissions();
  const archived = packet.status === 'archived';
  const named = (label: string) => t('label_of', { label, name: packet.name });
  if (!manages) return null;
  return (
    <div className="flex flex-wrap gap-1.5">
      {onRename ? (
        <Button
          variant="secondary"
          size="sm"
          aria-label={named(t('rename'))}
          disabledReason={getVariantActionRefusalReason(packet, 'edit', t)}
          onClick={onRename}
        >
          <PenLine aria-hidden />
          {t('rename')}
        </Button>
      ) : null}
      <Button variant="secondary" size="sm" aria-label={named(t('copy'))} disabledReason={full} onClick={onCopy}>
        <Copy aria-hidden />
        {t('copy')}
      </Button>
      <Button
        variant="secondary"
        size="sm"
        aria-label={t('make_default_name', { name: packet.name })}
        disabledReason={getVariantActionRefusalReason(packet, 'set_default', t)}
        pending={setDefault.isPending}
        onClick={() => setDefault.mutate({ id: packet.id })}
      >
        <Star aria-hidden />
        {t('make_default')}
      </Button>
      {archived ? (
        <Button
          variant="secondary"
          size="sm"
          aria-label={named(t('restore'))}
          disabledReason={getVariantActionRefusalReason(packet, 'restore', t)}
          pending={restore.isPending}
          onClick={() => restore.mutate({ id: packet.id })}
        >
          <ArchiveRestore aria-hidden />
          {t('restore')}
        </Button>
      ) : (
        <Button
          variant="secondary"
          size="sm"
          aria-label={named(t('archive'))}
          disabledReason={getVariantActionRefusalReason(packet, 'archive', t)}
          pending={archive.isPending}
          onClick={() => archive.mutate({ id: packet.id })}
        >
          <Archive aria-hidden />
          {t('archive')}
        </Button>
      )}
      <Button
        variant="secondary"
        size="sm"
        aria-label={named(t('delete'))}
        disabledReason={getVariantActionRefusalReason(packet, 'delete', t)}
        onClick={() => setDeleting(true)}
      >
        <Trash2 aria-hidden />
        {t('delete')}
      </Button>
      <ConfirmDialog
        open={deleting}
        onOpenChange={setDeleting}
        danger
        title={t('delete_packet', { packet: packet.name })}
        confirmLabel={t('delete_it')}
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ id: packet.id })}
      >
        {t('its_rules_fees_arrival_details_and_history')}
      </ConfirmDialog>
    </div>
  );
}
