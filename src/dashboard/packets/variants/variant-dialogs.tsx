'use client';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { toDisplayableError } from '../../read-error';
import { useTRPC } from '../../trpc';
import type { Packet } from '../../types';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';

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
  const ui = useTranslations('ui');
  const t = useTranslations('packets');
  const [name, setName] = useState(initial);
  const [missing, setMissing] = useState(false);
  const refused = error ? toDisplayableError(error) : null;
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
      dismissLabel={t('not_now')}
      footer={
        <Button type="submit" form={FORM} pending={pending}>
          {submitLabel}
        </Button>
      }
    >
      <form id={FORM} className="grid gap-4" noValidate onSubmit={submit}>
        <Field
          label={t('name')}
          hint={t('for_you_and_your_team_guests_do')}
          error={missing ? t('give_it_a_name') : refused?.message}
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
        {refused?.request_id ? (
          <p className="text-ink-soft text-xs">{ui('request_id_value', { id: refused.request_id })}</p>
        ) : null}
      </form>
    </Dialog>
  );
}

interface NewVariantDialogProps {
  property_id: string;
  /** The packet to copy. Null to create an empty packet. */
  original: Packet | null;
  onClose: () => void;
  onCreated: (packet: Packet) => void;
}

export function NewVariantDialog({ property_id, original, onClose, onCreated }: NewVariantDialogProps) {
  const t = useTranslations('packets');
  const trpc = useTRPC();
  const create = useMutation(
    trpc.packets.create.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (packet) => {
        toast.success(t('packet_is_created', { packet: packet.name }));
        onClose();
        onCreated(packet);
      },
    }),
  );
  return (
    <NameDialog
      title={original ? t('copy_original', { original: original.name }) : t('new_variant')}
      description={original ? t('the_copy_begins_with_the_same_rules') : t('it_begins_empty_to_begin_with_what')}
      submitLabel={original ? t('copy_it') : t('create_it')}
      initial={original ? t('name_of_copy', { name: original.name.slice(0, MAX - 12) }) : ''}
      pending={create.isPending}
      error={create.error}
      onSubmit={(name) => create.mutate({ id: property_id, name, ...(original && { copy_from: original.id }) })}
      onClose={onClose}
    />
  );
}

export function RenamePacketVariantDialog({ packet, onClose }: { packet: Packet; onClose: () => void }) {
  const t = useTranslations('packets');
  const trpc = useTRPC();
  const rename = useMutation(
    trpc.packets.update.mutationOptions({
      meta: { handlesError: true },
      onSuccess: () => {
        toast.success(t('the_packet_is_renamed'));
        onClose();
      },
    }),
  );
  return (
    <NameDialog
      title={t('rename_packet', { packet: packet.name })}
      description={t('reservations_and_certificates_that_exist_keep_what')}
      submitLabel={t('rename')}
      initial={packet.name}
      pending={rename.isPending}
      error={rename.error}
      onSubmit={(name) => rename.mutate({ id: packet.id, name })}
      onClose={onClose}
    />
  );
}
