'use client';
import { MailX } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import { Link } from '../ui/link';

/**
 * Shown on every page in live mode while there is no mail provider. It warns that guests receive no
 * mail.
 */
export const MissingMailProviderBar = () => {
  const t = useTranslations('shell');
  return (
    <aside
      aria-label={t('mail_is_not_set_up')}
      className="flex gap-3 border-b bg-warning-tint px-4 py-2.5 text-sm text-warning leading-normal sm:px-8"
    >
      <MailX className="mt-0.5 size-4 shrink-0" aria-hidden />
      <p>
        {t('mail_is_not_set_up_guests_receive')}{' '}
        <Link href={paths.outbox} className="underline underline-offset-4">
          {t('see_what_is_kept')}
        </Link>
      </p>
    </aside>
  );
};
