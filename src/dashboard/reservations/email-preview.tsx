'use client';
import { useState } from 'react';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader, Facts } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { Dialog } from '../ui/dialog';
import { useEmailPreview } from './queries';

/** What a test send would have mailed. It leaves after 24 hours, and with it this card. */
export function EmailPreviewCard({ id, zone }: { id: string; zone: string | null }) {
  const preview = useEmailPreview(id, true);
  const [open, setOpen] = useState(false);
  if (!preview.data) return null;
  const { subject, would_send_to, from, html, rendered_at } = preview.data;
  return (
    <Card>
      <CardHeader
        title="Test mail"
        description="Rendered, not sent. Kept for 24 hours."
        actions={
          <Button variant="secondary" onClick={() => setOpen(true)}>
            Show the mail
          </Button>
        }
      />
      <CardBody>
        <Facts
          items={[
            { label: 'Subject', value: subject },
            { label: 'Would go to', value: would_send_to },
            { label: 'From', value: from },
            { label: 'Rendered', value: <DateTime value={rendered_at} zone={zone} /> },
          ]}
        />
      </CardBody>
      <Dialog open={open} onOpenChange={setOpen} size="lg" title={subject} description={`To ${would_send_to}`}>
        {/* Sandboxed: the mail's links and markup can do nothing here. */}
        <iframe
          title="The mail as the guest would see it"
          sandbox=""
          srcDoc={html}
          className="h-[65dvh] w-full rounded-md border bg-white [color-scheme:light]"
        />
      </Dialog>
    </Card>
  );
}
