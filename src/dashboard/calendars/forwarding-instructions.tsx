'use client';
import type { ReactNode } from 'react';
import { Card, CardBody, CardHeader } from '../ui/card';
import { CopyField } from '../ui/copy-field';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs';

const PROVIDERS: { value: string; label: string; steps: ReactNode[] }[] = [
  {
    value: 'gmail',
    label: 'Gmail',
    steps: [
      'Open Settings → See all settings → Forwarding and POP/IMAP, and choose “Add a forwarding address”. Paste the address above.',
      'Gmail sends a question to it. It arrives in the inbox of this dashboard within a minute: open its link there and confirm.',
      'Back in Gmail leave “Disable forwarding” on, and open Filters and Blocked Addresses → Create a new filter. In “From” enter the sender of the channel’s confirmation mails.',
      'Choose “Create filter”, tick “Forward it to” and pick the address. Bookings from now on come by themselves.',
    ],
  },
  {
    value: 'outlook',
    label: 'Outlook',
    steps: [
      'Open Settings → Mail → Rules → Add new rule.',
      'Condition: “From”, with the sender of the channel’s confirmation mails.',
      'Action: “Redirect to”, with the address above. “Redirect” keeps the channel’s signature; with “Forward” each mail waits for you in the inbox.',
      'Save. If your organisation forbids forwarding, its administrator has to allow this address.',
    ],
  },
  {
    value: 'apple',
    label: 'iCloud Mail',
    steps: [
      'Open iCloud Mail in a browser → Settings → Rules → Add Rule.',
      'If a message “is from” the sender of the channel’s confirmation mails, then “Forward to” the address above.',
      'Rules of the Mail app on a Mac work only while that Mac is on: choose “Redirect Message” there.',
    ],
  },
  {
    value: 'other',
    label: 'Another provider',
    steps: [
      'Look for “filters”, “rules” or “redirect” in its settings, and redirect mail from the channel to the address above. Redirecting keeps the channel’s signature, so that mails are applied by themselves.',
      'Mail you forward by hand works too: it waits in the inbox, read as far as possible, for you to confirm.',
      'Anyone who takes bookings for you can write a mail with lines like “Guest:”, “E-mail:”, “Check-in:”, “Check-out:”.',
    ],
  },
];

export function ForwardingInstructions({ address }: { address: string }) {
  return (
    <Card>
      <CardHeader
        title="Forward mail to this address"
        description="Who knows the address can send mail to it, but only mail that the channel has signed is applied without you."
      />
      <CardBody className="grid gap-5">
        <CopyField value={address} label="forwarding address" />
        <Tabs defaultValue="gmail">
          <TabsList aria-label="Mail provider">
            {PROVIDERS.map(({ value, label }) => (
              <TabsTrigger key={value} value={value}>
                {label}
              </TabsTrigger>
            ))}
          </TabsList>
          {PROVIDERS.map(({ value, steps }) => (
            <TabsContent key={value} value={value}>
              <ol className="grid max-w-2xl list-decimal gap-2 pl-5 text-sm leading-relaxed marker:text-ink-soft">
                {steps.map((step, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the steps are written above and never change their order.
                  <li key={index}>{step}</li>
                ))}
              </ol>
            </TabsContent>
          ))}
        </Tabs>
      </CardBody>
    </Card>
  );
}
