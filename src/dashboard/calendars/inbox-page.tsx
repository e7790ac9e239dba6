'use client';
import { useState } from 'react';
import { paths } from '../paths';
import { PageHeader } from '../ui/page-header';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs';
import { MailList } from './mail-list';

export function InboxPage() {
  const [tab, setTab] = useState('waiting');
  return (
    <>
      <PageHeader
        back={{ href: paths.calendars, label: 'Calendar feeds' }}
        title="Inbox"
        description="Forwarded mail. What the channel has signed and can be read is applied by itself; the rest waits here."
      />
      <Tabs value={tab} onValueChange={setTab}>
        <TabsList aria-label="Which mails">
          <TabsTrigger value="waiting">Waiting for you</TabsTrigger>
          <TabsTrigger value="all">All</TabsTrigger>
        </TabsList>
        <TabsContent value="waiting">
          <MailList waiting />
        </TabsContent>
        <TabsContent value="all">
          <MailList waiting={false} />
        </TabsContent>
      </Tabs>
    </>
  );
}
