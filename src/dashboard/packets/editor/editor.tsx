'use client';
import { useQuery } from '@tanstack/react-query';
import { ClipboardCopy, Coins, Forward, History, Smartphone } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../../developers/notice';
import { paths } from '../../paths';
import { usePermissions } from '../../shell/me';
import { useTRPC } from '../../trpc';
import type { Packet, PacketDetail } from '../../types';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { lazyComponent } from '../../ui/lazy-component';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { PageHeader } from '../../ui/page-header';
import { getVariantActionRefusalReason, getVariantCreationBlockedReason } from '../variants/reasons';
import { VariantButtons } from '../variants/variant-buttons';
import { ArrivalDetailsEditorSection } from './arrival-section';
import { TextFieldWithShortCodes } from './code-text';
import { createPacketDraft, findUnsavedPacketChanges, type PacketDraftContent } from './draft';
import { FeesSection } from './fees-section';
import { PhonePreviewOfSigningPage } from './guest-preview';
import { ChannelListingRulesCard } from './listing-card';
import { RulesSection } from './rules-section';
import { SaveFailureNotice, SaveStatus } from './save-status';
import { useAutosave } from './use-autosave';
import { useScrollPreviewToEditedRow } from './use-follow';

const NewVariantDialog = lazyComponent(() =>
  import('../variants/variant-dialogs').then((file) => file.NewVariantDialog),
);
const HistoryDialog = lazyComponent(() => import('../history/history-dialog'));
const CopyDialog = lazyComponent(() => import('../push/copy-dialog'));
const PushDialog = lazyComponent(() => import('../push/push-dialog'));
const ChangeItemDialog = lazyComponent(() => import('../change-item/change-item-dialog'));

export type BackLink = { href: string; label: string };

interface EditorProps {
  loaded: PacketDetail;
  back: BackLink;
  zone: string | null;
  property_id: string;
  /** Returns the server's current version. Returns null when it cannot be loaded. */
  reload: () => Promise<PacketDetail | null>;
}

/** The editor of one packet. */
export function PacketEditor({ loaded, back, zone, property_id, reload }: EditorProps) {
  const t = useTranslations('packets');
  const everywhere = useTranslations('everywhere');
  const router = useRouter();
  const saved = useAutosave(loaded);
  const trpc = useTRPC();
  const variants = useQuery(trpc.packets.list.queryOptions({ id: property_id }));
  const [open, setOpen] = useState<'history' | 'preview' | 'copy' | 'take' | 'give' | 'everywhere' | null>(null);
  const { draft, change, content, errors, state, pending } = saved;
  const { manages } = usePermissions();
  const archived = loaded.status === 'archived';
  const fixed = archived || !manages;
  const section = { draft, change, errors, disabled: fixed };
  const active = variants.data?.data.filter((variant) => variant.status === 'active').length ?? 0;
  const full = variants.data ? getVariantCreationBlockedReason(active, variants.data.limit, t) : null;
  // Rendering the previews may lag behind the typing.
  const settled = useDeferredValue(content);
  const preview = useMemo(
    // Omits invalid fields, so that the preview stays visible while an amount is incomplete.
    () => ({
      property_id,
      packet_id: loaded.id,
      content: findUnsavedPacketChanges(settled, {} as PacketDraftContent, errors),
    }),
    [property_id, loaded.id, settled, errors],
  );
  const take = async () => {
    const fresh = await reload();
    if (fresh) saved.take(fresh);
    else toast.error(t('it_could_not_be_reloaded_try_again'));
  };
  const follow = async () => {
    const fresh = await reload();
    if (fresh) saved.follow(fresh);
  };
  return (
    <>
      <PageHeader
        back={back}
        title={draft.name.trim() || loaded.name}
        badge={
          <>
            {loaded.is_default ? <Badge tone="primary">{t('default')}</Badge> : null}
            {archived ? <Badge>{t('archived')}</Badge> : null}
          </>
        }
        description={t(manages ? 'what_guests_read_and_sign_it_is' : 'read_only_for_your_role')}
        actions={
          <>
            {manages ? <SaveStatus state={state} pending={pending} wrong={Object.keys(errors).length} /> : null}
            <Button variant="secondary" className="xl:hidden" onClick={() => setOpen('preview')}>
              <Smartphone aria-hidden />
              {t('preview')}
            </Button>
            <Button variant="secondary" onClick={() => setOpen('history')}>
              <History aria-hidden />
              {t('history')}
            </Button>
          </>
        }
      />
      <SaveFailureNotice
        state={state}
        onReload={() => void take()}
        onOverwrite={saved.overwrite}
        onRetry={saved.retry}
      />
      <div className="mb-6 flex flex-wrap gap-2 empty:hidden">
        <VariantButtons
          variant={loaded}
          full={full}
          onCopy={() => setOpen('copy')}
          onChanged={follow}
          onDeleted={() => router.replace(paths.property(property_id))}
        />
        {fixed ? null : (
          <Button variant="ghost" size="sm" onClick={() => setOpen('take')}>
            <ClipboardCopy aria-hidden />
            {t('copy_from_another_property')}
          </Button>
        )}
        {fixed ? null : (
          <Button
            variant="ghost"
            size="sm"
            disabledReason={pending ? t('what_you_typed_is_being_saved') : null}
            onClick={() => setOpen('everywhere')}
          >
            <Coins aria-hidden />
            {everywhere('open')}
          </Button>
        )}
        {loaded.is_default && manages ? (
          <Button
            variant="ghost"
            size="sm"
            disabledReason={pending ? t('what_you_typed_is_being_saved') : null}
            onClick={() => setOpen('give')}
          >
            <Forward aria-hidden />
            {t('copy_to_other_properties')}
          </Button>
        ) : null}
      </div>
      {archived ? (
        <Notice tone="info" title={t('this_packet_is_archived')} className="mb-6">
          {t('it_can_be_read_and_copied_restore')}
        </Notice>
      ) : null}
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid min-w-0 gap-6">
          <Card data-previewed="welcome">
            <CardHeader title={t('beginning')} description={t('what_the_guest_reads_first')} />
            <CardBody className="grid gap-5">
              <Field label={t('name')} hint={t('for_you_and_your_team_guests_do')} error={errors.name}>
                {(control) => (
                  <Input
                    {...control}
                    autoComplete="off"
                    maxLength={120}
                    value={draft.name}
                    disabled={fixed}
                    onChange={(event) => change({ name: event.target.value })}
                  />
                )}
              </Field>
              <TextFieldWithShortCodes
                label={t('welcome_message')}
                optional
                value={draft.welcome_message}
                onChange={(welcome_message) => change({ welcome_message })}
                maxLength={5_000}
                rows={5}
                error={errors.welcome_message}
                placeholder={t('hello_guest_welcome', { guest: '{{guest_name}}', property: '{{property_name}}' })}
                disabled={fixed}
              />
            </CardBody>
          </Card>
          <RulesSection rules={draft.rules} change={change} errors={errors} disabled={fixed} />
          <FeesSection fees={draft.fees} currency={draft.currency} change={change} errors={errors} disabled={fixed} />
          <ArrivalDetailsEditorSection {...section} />
          <Card data-previewed="safety">
            <CardHeader title={t('safety')} description={t('always_visible_to_the_guest_before_signing')} />
            <CardBody>
              <TextFieldWithShortCodes
                label={t('safety_notes')}
                optional
                value={draft.safety_notes}
                onChange={(safety_notes) => change({ safety_notes })}
                maxLength={2_000}
                rows={4}
                error={errors.safety_notes}
                placeholder={t('the_fire_extinguisher_is_left_of_the')}
                disabled={fixed}
              />
            </CardBody>
          </Card>
          <ChannelListingRulesCard content={settled} />
        </div>
        <div className="sticky top-20 hidden xl:block">
          <PhonePreviewOfSigningPage {...preview} useLoadHandler={useScrollPreviewToEditedRow} />
        </div>
      </div>
      {open === 'preview' ? (
        <Dialog open onOpenChange={() => setOpen(null)} title={t('preview')}>
          <PhonePreviewOfSigningPage {...preview} useLoadHandler={useScrollPreviewToEditedRow} />
        </Dialog>
      ) : null}
      {open === 'history' ? (
        <HistoryDialog
          id={loaded.id}
          zone={zone}
          current={currentOf(loaded, content)}
          refusal={manages ? getVariantActionRefusalReason(loaded, 'edit', t) : t('read_only_for_your_role')}
          onClose={() => setOpen(null)}
          onRestore={(earlier) => {
            const before = draft;
            change(createPacketDraft(earlier));
            setOpen(null);
            toast.success(t('the_earlier_version_is_back'), {
              action: { label: t('undo'), onClick: () => change(before) },
            });
          }}
        />
      ) : null}
      {open === 'take' ? (
        <CopyDialog property_id={property_id} draft={draft} change={change} onClose={() => setOpen(null)} />
      ) : null}
      {open === 'everywhere' ? (
        <ChangeItemDialog onChanged={() => void follow()} onClose={() => setOpen(null)} />
      ) : null}
      {open === 'give' ? <PushDialog from={property_id} onClose={() => setOpen(null)} /> : null}
      {open === 'copy' ? (
        <NewVariantDialog
          property_id={property_id}
          original={loaded}
          onClose={() => setOpen(null)}
          onCreated={(created) => router.push(paths.packet(property_id, created.id))}
        />
      ) : null}
    </>
  );
}

/** Returns the packet with the editor's current content. */
function currentOf(packet: Packet, content: PacketDraftContent): Packet {
  return { ...packet, ...(content as unknown as Partial<Packet>) };
}
