'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { PushedPart } from '@/modules/packets/push/parts.rules';
import { Checkbox } from '../../developers/checkbox';
import { PROPERTIES_INPUT } from '../../initial-queries';
import { Refusal } from '../../properties/form-parts';
import { readError } from '../../read-error';
import { useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import type { Draft } from '../editor/draft';
import { type Change, rowId } from '../editor/section';
import { PartBoxes, PropertyChoice } from './choices';
import { takenParts } from './parts';

interface CopyDialogProps {
  property_id: string;
  draft: Draft;
  change: Change;
  onClose: () => void;
}

/** The default packet of a property; null when it has none. */
function useDefaultPacketOf() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation({
    meta: { handlesError: true },
    mutationFn: async (property_id: string) => {
      const { data } = await queryClient.fetchQuery(trpc.packets.list.queryOptions({ id: property_id }));
      return data.find((packet) => packet.is_default && packet.status === 'active') ?? null;
    },
  });
}

/** Takes rules, fees and texts from another property's packet into this one. */
export default function CopyDialog({ property_id, draft, change, onClose }: CopyDialogProps) {
  const t = useTranslations('packets');
  const trpc = useTRPC();
  const properties = useQuery(trpc.properties.list.queryOptions(PROPERTIES_INPUT));
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
        toast.success(t('it_is_copied_and_saved_by_itself'), {
          action: { label: t('undo'), onClick: () => change(draft) },
        });
        onClose();
      },
    });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('copy_from_another_property')}
      description={t('arrival_details_and_door_codes_stay_each')}
      dismissLabel={t('not_now')}
      footer={
        <Button disabled={!other || parts.length === 0} pending={fetchPacket.isPending} onClick={take}>
          {t('copy')}
        </Button>
      }
    >
      {properties.data && others.length === 0 ? (
        <p className="text-sm">{t('there_is_no_other_property_yet')}</p>
      ) : (
        <div className="grid gap-5">
          <PropertyChoice label={t('property')} value={other} properties={others} onChange={setChosen} />
          <PartBoxes parts={parts} onChange={setParts} />
          <fieldset className="grid gap-2">
            <legend className="mb-1 font-medium text-sm">{t('what_is_here_already')}</legend>
            <Checkbox
              type="radio"
              name="how"
              label={t('stays_what_is_copied_comes_after_it')}
              checked={how === 'add'}
              onChange={() => setHow('add')}
            />
            <Checkbox
              type="radio"
              name="how"
              label={t('is_replaced')}
              checked={how === 'replace'}
              onChange={() => setHow('replace')}
            />
          </fieldset>
          {empty ? (
            <p role="alert" className="text-danger text-sm">
              {t('that_property_has_no_active_packet')}
            </p>
          ) : null}
          <Refusal refused={fetchPacket.error ? readError(fetchPacket.error) : null} />
        </div>
      )}
    </Dialog>
  );
}
