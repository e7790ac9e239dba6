'use client';
import { useState } from 'react';
import { EVENT_TYPES, type EventType } from '@/events/catalogue';
import { readError } from '../../read-error';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { NativeSelect } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { DeliveryView } from './delivery-dialog';
import { EVENT_GROUPS } from './event-groups';
import { type Endpoint, useSendTest } from './queries';

/** Sends an event of any type with a sample payload, and shows what came back. */
export function TestEventDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const [type, setType] = useState<EventType>('reservation.signed');
  const send = useSendTest();
  const error = send.error ? readError(send.error) : null;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title="Send a test event"
      description="A real, signed delivery with a sample payload, to this endpoint alone. It is tried once."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Close
          </Button>
          <Button pending={send.isPending} onClick={() => send.mutate({ id: endpoint.id, type })}>
            {send.data ? 'Send another' : 'Send'}
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <Field label="Event type" hint={EVENT_TYPES[type].replaceAll('`', '')} error={error?.message}>
          {(control) => (
            <NativeSelect {...control} value={type} onChange={(event) => setType(event.target.value as EventType)}>
              {EVENT_GROUPS.map((group) => (
                <optgroup key={group.label} label={group.label}>
                  {group.types.map((item) => (
                    <option key={item.type} value={item.type}>
                      {item.type}
                    </option>
                  ))}
                </optgroup>
              ))}
            </NativeSelect>
          )}
        </Field>
        <p className="text-ink-soft text-xs leading-relaxed">
          Its <code className="font-mono">data</code> carries <code className="font-mono">test_event: true</code>, and
          the ids in it exist nowhere.
        </p>
        {send.data ? <DeliveryView id={send.data.id} /> : null}
      </div>
    </Dialog>
  );
}
