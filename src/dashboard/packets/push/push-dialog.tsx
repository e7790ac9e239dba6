'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { PUSH_MOST, type PushedPart } from '@/modules/packets/push/parts.rules';
import { Checkbox } from '../../developers/checkbox';
import { PROPERTIES_INPUT } from '../../initial-queries';
import { Refusal } from '../../properties/form-parts';
import { readError } from '../../read-error';
import { useTRPC } from '../../trpc';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { Skeleton } from '../../ui/skeleton';
import { ChangeLines } from '../history/change-lines';
import { describeChange } from '../history/revision-diff';
import { PartBoxes, PropertyChoice } from './choices';

/** Gives rules, fees or texts of one property's packet to the others: what would change at each is shown before. */
export default function PushDialog({ from, onClose }: { from?: string; onClose: () => void }) {
  const t = useTranslations('packets');
  const terms = useTranslations('terms');
  const trpc = useTRPC();
  const properties = useQuery(trpc.properties.list.queryOptions(PROPERTIES_INPUT));
  const all = useMemo(() => properties.data?.data ?? [], [properties.data]);
  const [chosen, setChosen] = useState(from ?? '');
  const source = chosen || all.at(-1)?.id || '';
  const [parts, setParts] = useState<readonly PushedPart[]>(['rules']);
  /** All but these. */
  const [left_out, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const others = useMemo(() => all.filter(({ id }) => id !== source).slice(0, PUSH_MOST), [all, source]);
  const variants = useQuery(trpc.packets.list.queryOptions({ id: source }));
  const packet = variants.data?.data.find(({ is_default, status }) => is_default && status === 'active');
  const preview = useMutation(trpc.packets.preview_push.mutationOptions({ meta: { handlesError: true } }));
  const push = useMutation(trpc.packets.push.mutationOptions({ meta: { handlesError: true } }));
  const { mutate } = preview;
  const ids = others.map(({ id }) => id).join(',');
  useEffect(() => {
    if (packet && parts.length > 0 && ids) mutate({ id: packet.id, parts: [...parts], property_ids: ids.split(',') });
  }, [packet, parts, ids, mutate]);

  const targets = (preview.data?.targets ?? []).map(({ property_id, target }) => ({
    property_id,
    name: all.find(({ id }) => id === property_id)?.name ?? property_id,
    target,
    lines: target ? describeChange(target.before, target.after, { t, terms }) : [],
  }));
  const given = targets.filter(({ property_id, lines }) => lines.length > 0 && !left_out.has(property_id));
  const refused = new Map(
    (push.data?.rows ?? []).flatMap((row) => (row.outcome === 'refused' ? [[row.packet_id, row.message]] : [])),
  );
  const give = () => {
    if (!packet || !preview.data) return;
    const seen = given.flatMap(({ target }) => (target ? [{ packet_id: target.packet_id, etag: target.etag }] : []));
    push.mutate(
      { id: packet.id, etag: preview.data.etag, parts: [...parts], targets: seen },
      {
        onSuccess: ({ rows }) => {
          const done = rows.filter(({ outcome }) => outcome !== 'refused').length;
          if (done < rows.length) return;
          toast.success(t('properties_changed', { count: done }));
          onClose();
        },
      },
    );
  };
  const toggle = (id: string) =>
    setLeftOut((now) => (now.has(id) ? new Set([...now].filter((each) => each !== id)) : new Set(now).add(id)));

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
          {t('copy_to_count', { count: given.length })}
        </Button>
      }
    >
      <div className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <PropertyChoice label={t('from')} value={source} properties={all} onChange={setChosen} />
          <PartBoxes parts={parts} onChange={setParts} />
        </div>
        <Refusal refused={preview.error ? readError(preview.error) : push.error ? readError(push.error) : null} />
        {properties.data && others.length === 0 ? (
          <p className="text-sm">{t('there_is_no_other_property_yet')}</p>
        ) : null}
        {variants.data && !packet ? <p className="text-sm">{t('this_property_has_no_active_packet')}</p> : null}
        {others.length > 0 && packet && !preview.data && !preview.error ? <Skeleton className="h-32" /> : null}
        {targets.length > 0 ? (
          <ul aria-label={t('what_would_change')} className="divide-y divide-line rounded-lg border">
            {targets.map(({ property_id, name, target, lines }) => (
              <li key={property_id} className="grid gap-2 px-3 py-2.5">
                <div className="flex items-center justify-between gap-3">
                  <Checkbox
                    label={name}
                    checked={lines.length > 0 && !left_out.has(property_id)}
                    disabled={lines.length === 0 || push.isSuccess}
                    onChange={() => toggle(property_id)}
                  />
                  <Badge tone={lines.length > 0 ? 'info' : 'neutral'}>
                    {!target
                      ? t('no_active_packet')
                      : lines.length === 0
                        ? t('says_the_same_already')
                        : t('count_changes', { count: lines.length })}
                  </Badge>
                </div>
                {target && refused.has(target.packet_id) ? (
                  <p role="alert" className="text-danger text-sm">
                    {refused.get(target.packet_id)}
                  </p>
                ) : null}
                {lines.length > 0 ? (
                  <details className="pl-6 text-sm">
                    <summary className="cursor-default text-ink-soft">
                      {t.rich('what_changes', { span: () => <span className="sr-only">: {name}</span> })}
                    </summary>
                    <div className="mt-2">
                      <ChangeLines lines={lines} />
                    </div>
                  </details>
                ) : null}
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </Dialog>
  );
}
