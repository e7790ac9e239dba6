'use client';
import { useId, useState } from 'react';
import { Refusal } from '../../properties/form-parts';
import { readError } from '../../read-error';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import type { useSavedViews } from './saved-views';

interface SaveDialogProps {
  query: string;
  save: ReturnType<typeof useSavedViews>['save'];
  onClose: () => void;
}

export function SaveViewDialog({ query, save, onClose }: SaveDialogProps) {
  const form = useId();
  const [name, setName] = useState('');
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title="Save this view"
      description="For you alone, on every device. A search is not part of it."
      footer={
        <Button type="submit" form={form} disabled={!name.trim()} pending={save.isPending}>
          Save
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
            toast.success(`“${name.trim()}” is among your views.`);
          };
          save.mutate({ name, query }, { onSuccess: done });
        }}
      >
        <Field label="Name">
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={60}
              autoComplete="off"
              placeholder="Unsigned this week"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Refusal refused={save.error ? readError(save.error) : null} />
      </form>
    </Dialog>
  );
}
