'use client';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import { PageHeader } from '../ui/page-header';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs';
import { InboxMailList } from './mail-list';

export function ForwardedMailInboxPage() {
  const t = useTranslations('calendar_mail');
  const [tab, setTab] = useState('waiting');
  return (
    <>
      <PageHeader
        back={{ href: paths.calendars, label: t('calendar_feeds') }}
        title={t('inbox')}
        help="emails"
        description={t('what_the_channel_has_signed_is_applied')}
      />
      <Tabs value={tab} onValueChange={setTab}>
        <TabsList aria-label={t('which_mails')}>
          <TabsTrigger value="waiting">{t('waiting_for_you')}</TabsTrigger>
          <TabsTrigger value="all">{t('all')}</TabsTrigger>
        </TabsList>
        <TabsContent value="waiting">
          <InboxMailList waiting />
        </TabsContent>
        <TabsContent value="all">
          <InboxMailList waiting={false} />
        </TabsContent>
      </Tabs>
    </>
  );
}
