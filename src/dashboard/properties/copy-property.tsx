'use client';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import { toDisplayableError } from '../read-error';
import { useMe } from '../shell/me';
import { switchLiveOrTestMode } from '../shell/preferences';
import { useTRPC } from '../trpc';
import type { Property } from '../types';
import { ConfirmDialog } from '../ui/overlay/confirm-dialog';
import { toast } from '../ui/overlay/toaster';
import { FormErrorMessage } from './form-parts';

/** Copies a property to the other mode. The dialog lists the parts that are not copied. */
export default function CopyPropertyDialog({ property, onClose }: { property: Property; onClose: () => void }) {
  const t = useTranslations('properties');
  const shell = useTranslations('shell');
  const other = useMe().mode === 'live' ? 'test' : 'live';
  const trpc = useTRPC();
  const copy = useMutation(
    trpc.properties.copy_to_other_mode.mutationOptions({
      meta: { handlesError: true },
      onSuccess: ({ mode }) => {
        onClose();
        toast.success(t(`copied_to_${mode}`, { property: property.name }), {
          action: { label: shell(`switch_to_${mode}_mode`), onClick: () => switchLiveOrTestMode(mode) },
        });
      },
    }),
  );
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t(`copy_to_${other}`)}
      confirmLabel={t(`copy_to_${other}`)}
      pending={copy.isPending}
      onConfirm={() => copy.mutate({ id: property.id })}
    >
      <div className="grid gap-3">
        <p>{t('what_is_copied', { property: property.name })}</p>
        <FormErrorMessage refused={copy.error ? toDisplayableError(copy.error) : null} />
      </div>
    </ConfirmDialog>
  );
}
