'use client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { CopyablePacketPart } from '@/modules/packets/push/parts.rules';
import { Checkbox } from '../../developers/checkbox';
import { useFormattingLocale } from '../../i18n/formats';
import { PROPERTIES_INPUT } from '../../initial-queries';
import { FormErrorMessage } from '../../properties/form-parts';
import { toDisplayableError } from '../../read-error';
import { useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { convertDraftToPacketContent, type PacketContentFields, type PacketDraft } from '../editor/draft';
import { createRuleOrFeeId, type PacketDraftChangeHandler } from '../editor/section';
import { RevisionChangeList } from '../history/change-lines';
import { describeRevisionChanges } from '../history/revision-diff';
import { PacketPartCheckboxes, PropertySelectField } from './choices';
import { buildDraftChangesThatCopyPacketParts } from './parts';

interface CopyDialogProps {
  property_id: string;
  draft: PacketDraft;
  change: PacketDraftChangeHandler;
  onClose: () => void;
}

/** Copies rules, fees and texts of another property's packet into this one. */
export default function CopyDialog({ property_id, draft, change, onClose }: CopyDialogProps) {
  const t = useTranslations('packets');
  const trpc = useTRPC();
  const properties = useQuery(trpc.properties.list.queryOptions(PROPERTIES_INPUT));
  const terms = useTranslations('terms');
  const ui = useTranslations('ui');
  const formats = useFormattingLocale();
  const others = (properties.data?.data ?? []).filter(({ id }) => id !== property_id);
  const [chosen, setChosen] = useState('');
  const [variant, setVariant] = useState('');
  const [parts, setParts] = useState<readonly CopyablePacketPart[]>(['rules', 'fees']);
  const [how, setHow] = useState<'add' | 'replace'>('add');
  const other = chosen || others[0]?.id || '';
  const packets = useQuery(trpc.packets.list.queryOptions({ id: other }, { enabled: other !== '' }));
  const variants = (packets.data?.data ?? []).filter(({ status }) => status === 'active');
  const packet = variants.find(({ id }) => id === variant) ?? variants.find(({ is_default }) => is_default);
  const empty = packets.data !== undefined && !packet;
  const said = (what: PacketDraft) =>
    convertDraftToPacketContent(what, { own: t, ui }).content as unknown as PacketContentFields;
  const after = packet
    ? { ...draft, ...buildDraftChangesThatCopyPacketParts(draft, packet, parts, how, createRuleOrFeeId) }
    : draft;
  const lines = describeRevisionChanges(said(draft), said(after), { t, terms, formats });
  const take = () => {
    if (!packet) return;
    change((now) => buildDraftChangesThatCopyPacketParts(now, packet, parts, how, createRuleOrFeeId));
    toast.success(t('it_is_copied_and_saved_by_itself'), {
      action: { label: t('undo'), onClick: () => change(draft) },
    });
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('copy_from_another_property')}
      description={t('arrival_details_and_door_codes_stay_each')}
      dismissLabel={t('not_now')}
      footer={
        <Button disabled={!packet || parts.length === 0} onClick={take}>
          {t('copy')}
        </Button>
      }
    >
      {properties.data && others.length === 0 ? (
        <p className="text-sm">{t('there_is_no_other_property_yet')}</p>
      ) : (
        <div className="grid gap-5">
          <PropertySelectField label={t('property')} value={other} properties={others} onChange={setChosen} />
          {variants.length > 1 ? (
            <PropertySelectField
              label={t('variant')}
              value={packet?.id ?? ''}
              properties={variants}
              onChange={setVariant}
            />
          ) : null}
          <PacketPartCheckboxes parts={parts} onChange={setParts} />
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
          {lines.length > 0 ? (
            <section aria-label={t('what_copying_does')} className="grid gap-2 rounded-lg border px-3 py-2.5">
              <h3 className="font-medium text-sm">{t('what_copying_does')}</h3>
              <RevisionChangeList lines={lines} />
            </section>
          ) : null}
          <FormErrorMessage refused={packets.error ? toDisplayableError(packets.error) : null} />
        </div>
      )}
    </Dialog>
  );
}
