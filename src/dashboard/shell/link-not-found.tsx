'use client';
import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import { LinkButton } from '../ui/link-button';

/** The page for an invitation that was already used, or whose link is incomplete. */
export function InvitationLinkNotFound() {
  const t = useTranslations('ui');
  return (
    <div className="grid justify-items-start gap-4">
      <p className="font-mono text-ink-soft text-sm">404</p>
      <h1 className="text-balance font-semibold text-2xl tracking-tight">{t('link_not_found')}</h1>
      <p className="text-ink-soft text-sm leading-relaxed">{t('link_not_found_detail')}</p>
      <LinkButton href={paths.sign_in} variant="secondary">
        {t('sign_in')}
      </LinkButton>
    </div>
  );
}
