'use client';
import { useMutation } from '@tanstack/react-query';
import { Download, PackageOpen } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Countdown } from '../../developers/countdown';
import { useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { AnchorButton } from '../../ui/link-button';

/** Requests a link that is valid for a short time, then downloads the export from it. */
export function ExportCard() {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const link = useMutation(trpc.team_data.create_export.mutationOptions());
  return (
    <Card>
      <CardHeader title={t('export')} description={t('everything_of_the_team_in_live_and')} />
      <CardBody className="grid gap-4 text-sm leading-relaxed">
        <ul className="grid list-disc gap-1 pl-5">
          <li>{t('properties_packets_with_their_history_reservations_with')}</li>
          <li>{t('every_certificate_its_data_its_sealed_pdf')}</li>
          <li>{t('calendars_mails_webhook_endpoints_with_their_deliveries')}</li>
        </ul>
        <p className="text-ink-soft">{t('json_files_with_a_file_that_explains')}</p>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2" aria-live="polite">
          {link.data ? (
            <>
              <AnchorButton href={link.data.url} download>
                <Download aria-hidden />
                {t('download_the_zip')}
              </AnchorButton>
              <span className="text-ink-soft">
                {t.rich('the_link_works_in_this_session', {
                  countdown: () => (
                    <Countdown until={link.data.expires_at} over={t('and_has_expired')} onOver={link.reset} />
                  ),
                })}
              </span>
            </>
          ) : (
            <Button variant="secondary" pending={link.isPending} onClick={() => link.mutate()}>
              <PackageOpen aria-hidden />
              {t('prepare_the_export')}
            </Button>
          )}
        </div>
      </CardBody>
    </Card>
  );
}
