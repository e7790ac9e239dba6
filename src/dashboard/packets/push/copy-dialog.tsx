'use client';
import { useState } from 'react';
import type { PushedPart } from '@/modules/packets/push/parts.rules';
import { Checkbox } from '../../developers/checkbox';
import { Refusal } from '../../properties/form-parts';
import { useProperties } from '../../properties/queries';
import { readError } from '../../read-error';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import type { Draft } from '../editor/draft';
import { rowId } from '../editor/rows/row-id';
import type { Change } from '../editor/section-props';
import { PartBoxes, PropertyChoice } from './choices';
import { takenParts } from './parts';
import { useDefaultPacketOf } from './queries';

interface CopyDialogProps {
  property_id: string;
  draft: Draft;
  change: Change;
  onClose: () => void;
}

/** Takes rules, fees and texts from another property's packet into this one. */
export default function CopyDialog({ property_id, draft, change, onClose }: CopyDialogProps) {
  const properties = useProperties();
  const others = (properties.data?.data ?? []).filter(({ id }) => id !== property_id);
  const [chosen, setChosen] = useState('');
  const [parts, setParts] = useState<readonly PushedPart[]>(['rules', 'fees']);
  const [how, setHow] = useState<'add' | 'replace'>('add');
  const [empty, setEmpty] = useState(false);
  const fetchPacket = useDefaultPacketOf();
  const other = chosen || others[0]?.id || '';
  const take = () =>
    fetchPacket.mutate(other, {
      onSuccess: (packet) => {
        setEmpty(packet === null);
        if (!packet) return;
        change((now) => takenParts(now, packet, parts, how, rowId));
        toast.success('It is copied, and saved by itself.', {
          action: { label: 'Undo', onClick: () => change(draft) },
        });
        onClose();
      },
    });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Copy from another property"
      description="Arrival details and door codes stay each property’s own."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Not now
          </Button>
          <Button disabled={!other || parts.length === 0} pending={fetchPacket.isPending} onClick={take}>
            Copy
          </Button>
        </>
      }
    >
      {properties.data && others.length === 0 ? (
        <p className="text-sm">There is no other property yet.</p>
      ) : (
        <div className="grid gap-5">
          <PropertyChoice label="Property" value={other} properties={others} onChange={setChosen} />
          <PartBoxes parts={parts} onChange={setParts} />
          <fieldset className="grid gap-2">
            <legend className="mb-1 font-medium text-sm">What is here already</legend>
            <Checkbox
              type="radio"
              name="how"
              label="Stays; what is copied comes after it"
              checked={how === 'add'}
              onChange={() => setHow('add')}
            />
            <Checkbox
              type="radio"
              name="how"
              label="Is replaced"
              checked={how === 'replace'}
              onChange={() => setHow('replace')}
            />
          </fieldset>
          {empty ? (
            <p role="alert" className="text-danger text-sm">
              That property has no active packet.
            </p>
          ) : null}
          <Refusal refused={fetchPacket.error ? readError(fetchPacket.error) : null} />
        </div>
      )}
    </Dialog>
  );
}
