'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { type CopyablePacketPart, MAX_COPY_TARGET_PROPERTIES } from '@/modules/packets/push/parts.rules';
import { Checkbox } from '../../developers/checkbox';
import { useFormattingLocale } from '../../i18n/formats';
import { PROPERTIES_INPUT } from '../../initial-queries';
import { FormErrorMessage } from '../../properties/form-parts';
import { toDisplayableError } from '../../read-error';
import { useTRPC } from '../../trpc';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { Skeleton } from '../../ui/skeleton';
import { RevisionChangeList } from '../history/change-lines';
import { describeRevisionChanges, type RevisionChangeLine } from '../history/revision-diff';
import { PacketPartCheckboxes, PropertySelectField } from './choices';

/**
 * Copies rules, fees or texts of one property's packet to other packets. First shows the changes in
 * each packet.
 */
export default function PushDialog({ from, onClose }: { from?: string; onClose: () => void }) {
  const t = useTranslations('packets');
  const terms = useTranslations('terms');
  const trpc = useTRPC();
  const properties = useQuery(trpc.properties.list.queryOptions(PROPERTIES_INPUT));
  const all = useMemo(() => properties.data?.data ?? [], [properties.data]);
  const [chosen, setChosen] = useState(from ?? '');
  const source = chosen || all.at(-1)?.id || '';
  const [parts, setParts] = useState<readonly CopyablePacketPart[]>(['rules']);
  /**
   * Packets that the host ticked (true) or cleared (false). Other packets are ticked if they are
   * default packets.
   */
  const [marked, setMarked] = useState<ReadonlyMap<string, boolean>>(new Map());
  const formats = useFormattingLocale();
  const houses = useMemo(() => all.slice(0, MAX_COPY_TARGET_PROPERTIES), [all]);
  const variants = useQuery(trpc.packets.list.queryOptions({ id: source }));
  const packet = variants.data?.data.find(({ is_default, status }) => is_default && status === 'active');
  const preview = useMutation(trpc.packets.preview_push.mutationOptions({ meta: { handlesError: true } }));
  const push = useMutation(trpc.packets.push.mutationOptions({ meta: { handlesError: true } }));
  const { mutate } = preview;
  const ids = houses.map(({ id }) => id).join(',');
  useEffect(() => {
    if (packet && parts.length > 0 && ids) mutate({ id: packet.id, parts: [...parts], property_ids: ids.split(',') });
  }, [packet, parts, ids, mutate]);

  const targets = (preview.data?.targets ?? []).map((target) => {
    const lines = describeRevisionChanges(target.before, target.after, { t, terms, formats });
    const house = all.find(({ id }) => id === target.property_id)?.name ?? target.property_id;
    return {
      ...target,
      name: target.is_default ? house : t('variant_of', { property: house, variant: target.before.name }),
      lines,
      chosen: lines.length > 0 && (marked.get(target.packet_id) ?? target.is_default),
    };
  });
  const given = targets.filter(({ chosen: is_chosen }) => is_chosen);
  const houses_given = new Set(given.map(({ property_id }) => property_id)).size;
  const without = houses.filter(
    ({ id }) => id !== source && preview.data?.targets.every(({ property_id }) => property_id !== id),
  );
  const refused = new Map(
    (push.data?.rows ?? []).flatMap((row) => (row.outcome === 'refused' ? [[row.packet_id, row.message]] : [])),
  );
  const give = () => {
    if (!packet || !preview.data) return;
    const seen = given.map(({ packet_id, etag }) => ({ packet_id, etag }));
    push.mutate(
      { id: packet.id, etag: preview.data.etag, parts: [...parts], targets: seen },
      {
        onSuccess: ({ rows }) => {
          if (rows.some(({ outcome }) => outcome === 'refused')) return;
          toast.success(t('properties_changed', { count: houses_given }));
          onClose();
        },
      },
    );
  };

  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={t('copy_to_other_properties')}
      description={t('what_is_there_is_replaced_by_what')}
      dismissLabel={push.data ? t('close') : t('not_now')}
      footer={
        <Button disabled={given.length === 0 || push.isSuccess} pending={push.isPending} onClick={give}>
          {t('copy_to_count', { count: houses_given })}
        </Button>
      }
    >
      <div className="grid gap-5">
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <PropertySelectField label={t('from')} value={source} properties={all} onChange={setChosen} />
          <PacketPartCheckboxes parts={parts} onChange={setParts} />
        </div>
        <FormErrorMessage
          refused={
            preview.error ? toDisplayableError(preview.error) : push.error ? toDisplayableError(push.error) : null
          }
        />
        {properties.data && preview.data && targets.length === 0 && without.length === 0 ? (
          <p className="text-sm">{t('there_is_no_other_property_yet')}</p>
        ) : null}
        {variants.data && !packet ? <p className="text-sm">{t('this_property_has_no_active_packet')}</p> : null}
        {packet && !preview.data && !preview.error ? <Skeleton className="h-32" /> : null}
        {targets.length > 0 || without.length > 0 ? (
          <ul aria-label={t('what_would_change')} className="divide-y divide-line rounded-lg border">
            {targets.map(({ packet_id, name, lines, chosen: is_chosen }) => (
              <li key={packet_id} className="grid gap-2 px-3 py-2.5">
                <div className="flex items-center justify-between gap-3">
                  <Checkbox
                    label={name}
                    checked={is_chosen}
                    disabled={lines.length === 0 || push.isSuccess}
                    onChange={() => setMarked((now) => new Map(now).set(packet_id, !is_chosen))}
                  />
                  <Badge tone={lines.length > 0 ? 'info' : 'neutral'}>
                    {lines.length === 0 ? t('says_the_same_already') : t('count_changes', { count: lines.length })}
                  </Badge>
                </div>
                {refused.has(packet_id) ? (
                  <p role="alert" className="text-danger text-sm">
                    {refused.get(packet_id)}
                  </p>
                ) : null}
                <Removed lines={lines} />
                {lines.length > 0 ? (
                  <details className="pl-6 text-sm">
                    <summary className="cursor-default text-ink-soft">
                      {t.rich('what_changes', { span: () => <span className="sr-only">: {name}</span> })}
                    </summary>
                    <div className="mt-2">
                      <RevisionChangeList lines={lines} />
                    </div>
                  </details>
                ) : null}
              </li>
            ))}
            {without.map(({ id, name }) => (
              <li key={id} className="flex items-center justify-between gap-3 px-3 py-2.5">
                <Checkbox label={name} checked={false} disabled />
                <Badge>{t('no_active_packet')}</Badge>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </Dialog>
  );
}

/** Lists the content that the packet would lose. The list is never collapsed. */
function Removed({ lines }: { lines: readonly RevisionChangeLine[] }) {
  const t = useTranslations('packets');
  const removed = lines.filter(({ kind }) => kind === 'removed');
  if (removed.length === 0) return null;
  return (
    <div className="grid gap-1 pl-6 text-sm">
      <p className="font-medium text-danger">{t('is_deleted_there')}</p>
      <ul className="list-disc pl-5 text-ink-soft">
        {removed.map(({ what, before }) => (
          <li key={`${what} ${before}`} className="break-words">
            {before}
          </li>
        ))}
      </ul>
    </div>
  );
}
