'use client';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { FormErrorMessage } from '../../properties/form-parts';
import { toDisplayableError } from '../../read-error';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import type { useSavedViews } from './use-saved-views';

interface SaveDialogProps {
  query: string;
  save: ReturnType<typeof useSavedViews>['save'];
  onClose: () => void;
}

export function SaveViewDialog({ query, save, onClose }: SaveDialogProps) {
  const t = useTranslations('reservations');
  const form = useId();
  const [name, setName] = useState('');
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={t('save_this_view')}
      description={t('for_you_alone_on_every_device_a')}
      footer={
        <Button type="submit" form={form} disabled={!name.trim()} pending={save.isPending}>
          {t('save')}
        </Button>
      }
    >
      <form
        id={form}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const done = () => {
            onClose();
            toast.success(t('name_is_among_your_views', { name: name.trim() }));
          };
          save.mutate({ name, query }, { onSuccess: done });
        }}
      >
        <Field label={t('name')}>
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={60}
              autoComplete="off"
              placeholder={t('unsigned_this_week')}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <FormErrorMessage refused={save.error ? toDisplayableError(save.error) : null} />
      </form>
    </Dialog>
  );
}
