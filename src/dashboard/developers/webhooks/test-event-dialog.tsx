'use client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { EventType } from '@/events/catalogue';
import { toDisplayableError } from '../../read-error';
import { useTRPC } from '../../trpc';
import type { WebhookEndpointDetail } from '../../types';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { NativeSelect } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { useEventTypeMeaning } from '../events/use-meaning';
import { DeliveryAttemptDetails } from './delivery-dialog';
import { EVENT_TYPE_GROUPS } from './event-groups';

/** Sends a sample event of any type, and shows the response. */
export function TestEventDialog({ endpoint, onClose }: { endpoint: WebhookEndpointDetail; onClose: () => void }) {
  const t = useTranslations('webhooks');
  const ui = useTranslations('ui');
  const meaning = useEventTypeMeaning();
  const [type, setType] = useState<EventType>('reservation.signed');
  const trpc = useTRPC();
  const send = useMutation(trpc.webhook_endpoints.send_test.mutationOptions({ meta: { handlesError: true } }));
  const error = send.error ? toDisplayableError(send.error) : null;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={t('send_a_test_event')}
      description={t('a_real_signed_delivery')}
      dismissLabel={ui('close')}
      footer={
        <Button pending={send.isPending} onClick={() => send.mutate({ id: endpoint.id, type })}>
          {send.data ? t('send_another') : t('send')}
        </Button>
      }
    >
      <div className="grid gap-5">
        <Field label={t('event_type')} hint={meaning(type)} error={error?.message}>
          {(control) => (
            <NativeSelect {...control} value={type} onChange={(event) => setType(event.target.value as EventType)}>
              {EVENT_TYPE_GROUPS.map((group) => (
                <optgroup key={group.name} label={t(`group_${group.name}`)}>
                  {group.types.map((one) => (
                    <option key={one} value={one}>
                      {one}
                    </option>
                  ))}
                </optgroup>
              ))}
            </NativeSelect>
          )}
        </Field>
        <p className="text-ink-soft text-xs leading-relaxed">
          {t.rich('its_data_carries', { code: (name) => <code className="font-mono">{name}</code> })}
        </p>
        {send.data ? <DeliveryAttemptDetails id={send.data.id} /> : null}
      </div>
    </Dialog>
  );
}
