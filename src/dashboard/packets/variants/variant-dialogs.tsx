'use client';
import { type FormEvent, useState } from 'react';
import { readError } from '../../read-error';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { type Packet, useCreateVariant, useRenamePacket } from '../queries';

const FORM = 'packet-name';
const MAX = 120;

interface NameDialogProps {
  title: string;
  description: string;
  submitLabel: string;
  initial: string;
  pending: boolean;
  error: unknown;
  onSubmit: (name: string) => void;
  onClose: () => void;
}

function NameDialog({ title, description, submitLabel, initial, pending, error, onSubmit, onClose }: NameDialogProps) {
  const [name, setName] = useState(initial);
  const [missing, setMissing] = useState(false);
  const refused = error ? readError(error) : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(name.trim() === '');
    if (name.trim() !== '') onSubmit(name.trim());
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={title}
      description={description}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" form={FORM} pending={pending}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={FORM} className="grid gap-4" noValidate onSubmit={submit}>
        <Field
          label="Name"
          hint="For you and your team. Guests do not see it."
          error={missing ? 'Give it a name.' : refused?.message}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              maxLength={MAX}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        {refused?.request_id ? <p className="text-ink-soft text-xs">Request id {refused.request_id}</p> : null}
      </form>
    </Dialog>
  );
}

interface NewVariantDialogProps {
  property_id: string;
  /** What is copied; null begins empty. */
  original: Packet | null;
  onClose: () => void;
  onCreated: (packet: Packet) => void;
}

export function NewVariantDialog({ property_id, original, onClose, onCreated }: NewVariantDialogProps) {
  const create = useCreateVariant((packet) => {
    toast.success(`${packet.name} is created.`);
    onClose();
    onCreated(packet);
  });
  return (
    <NameDialog
      title={original ? `Copy ${original.name}` : 'New variant'}
      description={
        original
          ? 'The copy begins with the same rules, fees and arrival details.'
          : 'It begins empty. To begin with what another one says, copy that one.'
      }
      submitLabel={original ? 'Copy it' : 'Create it'}
      initial={original ? `${original.name.slice(0, MAX - 7)} (copy)` : ''}
      pending={create.isPending}
      error={create.error}
      onSubmit={(name) => create.mutate({ id: property_id, name, ...(original && { copy_from: original.id }) })}
      onClose={onClose}
    />
  );
}

export function RenameDialog({ packet, onClose }: { packet: Packet; onClose: () => void }) {
  const rename = useRenamePacket(() => {
    toast.success('The packet is renamed.');
    onClose();
  });
  return (
    <NameDialog
      title={`Rename ${packet.name}`}
      description="Reservations and certificates that exist keep what they say."
      submitLabel="Rename"
      initial={packet.name}
      pending={rename.isPending}
      error={rename.error}
      onSubmit={(name) => rename.mutate({ id: packet.id, name })}
      onClose={onClose}
    />
  );
}
