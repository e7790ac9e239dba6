'use client';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../../developers/notice';
import { paths } from '../../paths';
import { QueryErrorPanel } from '../../query-error';
import { type ProcedureOutputs, useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { lazyComponent } from '../../ui/lazy-component';
import { LinkButton } from '../../ui/link-button';
import { Skeleton } from '../../ui/skeleton';

const DeletionDialog = lazyComponent(() => import('./deletion-dialog').then((file) => file.TeamDeletionDialog));

type Preview = ProcedureOutputs['team_data']['deletion_preview'];

/** Lists the consequences of deleting the team, and what prevents the deletion. */
export function TeamDeletionCard() {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const preview = useQuery(trpc.team_data.deletion_preview.queryOptions(undefined, { staleTime: 0 }));
  const [open, setOpen] = useState(false);
  if (preview.error && !preview.data) {
    return (
      <Card>
        <QueryErrorPanel title={t('what_a_deletion_would_remove_could_not')} query={preview} />
      </Card>
    );
  }
  const held = preview.data?.held ?? 0;
  return (
    <Card>
      <CardHeader title={t('delete_the_account')} description={t('at_once_and_for_good_there_is')} />
      <CardBody className="grid gap-4 text-sm leading-relaxed">
        {held > 0 ? (
          <Notice
            tone="warning"
            title={t('certificates_under_legal_hold', { held })}
            actions={
              <LinkButton variant="secondary" size="sm" href={paths.certificates}>
                {t('certificates')}
              </LinkButton>
            }
          >
            {t('what_is_held_may_not_be_deleted')}
          </Notice>
        ) : null}
        {preview.data ? <Consequences preview={preview.data} /> : <Skeleton className="h-28" />}
        <Button
          variant="danger"
          className="w-fit"
          disabledReason={held > 0 ? t('something_is_under_legal_hold') : null}
          disabled={!preview.data}
          onClick={() => setOpen(true)}
        >
          <Trash2 aria-hidden />
          {t('delete_the_account')}
        </Button>
      </CardBody>
      {open ? <DeletionDialog onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}

function Consequences({ preview: { properties, reservations, certificates } }: { preview: Preview }) {
  const t = useTranslations('settings');
  return (
    <ul className="grid list-disc gap-1 pl-5">
      <li>{t('all_are_removed', { properties, reservations, certificates })}</li>
      <li>{t('api_keys_webhooks_and_calendars_stop_at')}</li>
      <li>{t('certificates_can_no_longer_be_verified_on')}</li>
      <li>{t('members_lose_access_those_who_are_in')}</li>
      <li>{t('nothing_is_kept_for_later_export_first')}</li>
    </ul>
  );
}
