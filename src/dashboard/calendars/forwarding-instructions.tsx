'use client';
import { useTranslations } from 'use-intl/react';
import { Card, CardBody, CardHeader } from '../ui/card';
import { CopyField } from '../ui/copy-field';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs';

/** The mail providers for which the page explains how to set up forwarding. */
const PROVIDERS = [
  { value: 'gmail', label: 'Gmail', steps: ['gmail_1', 'gmail_2', 'gmail_3', 'gmail_4'] },
  { value: 'outlook', label: 'Outlook', steps: ['outlook_1', 'outlook_2', 'outlook_3', 'outlook_4'] },
  { value: 'apple', label: 'iCloud Mail', steps: ['apple_1', 'apple_2', 'apple_3'] },
  { value: 'other', label: null, steps: ['other_1', 'other_2', 'other_3'] },
] as const;

export function ForwardingInstructions({ address }: { address: string }) {
  const t = useTranslations('calendar_detail');
  return (
    <Card>
      <CardHeader title={t('forward_mail_to_this_address')} description={t('who_knows_the_address_can_send_mail')} />
      <CardBody className="grid gap-5">
        <CopyField value={address} label={t('forwarding_address')} />
        <Tabs defaultValue="gmail">
          <TabsList aria-label={t('mail_provider')}>
            {PROVIDERS.map(({ value, label }) => (
              <TabsTrigger key={value} value={value}>
                {label ?? t('another_provider')}
              </TabsTrigger>
            ))}
          </TabsList>
          {PROVIDERS.map(({ value, steps }) => (
            <TabsContent key={value} value={value}>
              <ol className="grid max-w-2xl list-decimal gap-2 pl-5 text-sm leading-relaxed marker:text-ink-soft">
                {steps.map((step) => (
                  <li key={step}>{t(step)}</li>
                ))}
              </ol>
            </TabsContent>
          ))}
        </Tabs>
      </CardBody>
    </Card>
  );
}
