'use client';
import { useMutation } from '@tanstack/react-query';
import { Download, PackageOpen } from 'lucide-react';
import { Countdown } from '../../developers/countdown';
import { useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';

/** First the link, which works for a while; then the download, which the browser does. */
export function ExportCard() {
  const trpc = useTRPC();
  const link = useMutation(trpc.team_data.create_export.mutationOptions());
  return (
    <Card>
      <CardHeader title="Export" description="Everything of the team, in live and test mode, as one ZIP." />
      <CardBody className="grid gap-4 text-sm leading-relaxed">
        <ul className="grid list-disc gap-1 pl-5">
          <li>Properties, packets with their history, reservations with what happened to each</li>
          <li>Every certificate: its data, its sealed PDF, and the guest’s photo where there is one</li>
          <li>Calendars, mails, webhook endpoints with their deliveries, events, the request log and the audit log</li>
        </ul>
        <p className="text-ink-soft">
          JSON files, with a file that explains them. Keys, passwords and signing secrets are not in it. It does hold
          your guests’ personal data: keep it as carefully as you would keep theirs.
        </p>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2" aria-live="polite">
          {link.data ? (
            <>
              <Button asChild>
                <a href={link.data.url} download>
                  <Download aria-hidden />
                  Download the ZIP
                </a>
              </Button>
              <span className="text-ink-soft">
                The link works in this session,{' '}
                <Countdown until={link.data.expires_at} over="and has expired" onOver={link.reset} />
              </span>
            </>
          ) : (
            <Button variant="secondary" pending={link.isPending} onClick={() => link.mutate()}>
              <PackageOpen aria-hidden />
              Prepare the export
            </Button>
          )}
        </div>
      </CardBody>
    </Card>
  );
}
