'use client';
import { useMutation } from '@tanstack/react-query';
import { ChevronsUpDown, CircleQuestionMark, LogOut, Monitor, Moon, Settings, Sun } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Me } from '@/modules/accounts/schemas';
import { HOST_LANGUAGES, HOST_LOCALES, type HostLocale } from '@/shared/language/host-language';
import { postAuthRequest } from '../accounts/auth-client';
import { paths } from '../paths';
import { useTRPC } from '../trpc';
import { Link } from '../ui/link';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
} from '../ui/overlay/dropdown-menu';
import { getCurrentTheme, setTheme, type Theme } from './preferences';
import { useLanguage } from './use-language';

const THEMES = [
  { value: 'system', label: 'as_the_system', icon: Monitor },
  { value: 'light', label: 'light', icon: Sun },
  { value: 'dark', label: 'dark', icon: Moon },
] as const;

export async function signOut(): Promise<void> {
  await postAuthRequest('/sign-out');
  window.location.assign(paths.sign_in);
}

/** The menu with the user, the team and the appearance. */
export function UserMenu({ me }: { me: Me }) {
  const t = useTranslations('shell');
  const ui = useTranslations('ui');
  const trpc = useTRPC();
  const language = useLanguage();
  const [theme, setShown] = useState<Theme>('system');
  const switchTeam = useMutation(
    trpc.accounts.switch_team.mutationOptions({ onSuccess: () => window.location.assign(paths.home) }),
  );
  return (
    <Menu onOpenChange={(open) => open && setShown(getCurrentTheme())}>
      <MenuTrigger className="flex w-full items-center gap-2.5 rounded-lg border bg-surface px-2.5 py-2 text-left hover:border-line-strong">
        <span
          aria-hidden
          className="grid size-7 shrink-0 place-items-center rounded-full bg-tint font-semibold text-primary text-xs uppercase"
        >
          {me.user.name.slice(0, 1)}
        </span>
        <span className="grid min-w-0 flex-1 text-sm leading-tight">
          <span className="truncate font-medium">{me.team.name}</span>
          <span className="truncate text-ink-soft text-xs">{me.user.email}</span>
        </span>
        <ChevronsUpDown className="size-4 shrink-0 text-ink-soft" aria-hidden />
      </MenuTrigger>
      <MenuContent align="start" className="w-60">
        {me.teams.length > 1 ? (
          <>
            <MenuLabel>{t('team')}</MenuLabel>
            <MenuRadioGroup value={me.team.id} onValueChange={(team_id) => switchTeam.mutate({ team_id })}>
              {me.teams.map((team) => (
                <MenuRadioItem key={team.id} value={team.id}>
                  {team.name}
                </MenuRadioItem>
              ))}
            </MenuRadioGroup>
            <MenuSeparator />
          </>
        ) : null}
        <MenuLabel>{t('language')}</MenuLabel>
        <MenuRadioGroup value={language.locale} onValueChange={(locale) => language.choose(locale as HostLocale)}>
          {HOST_LOCALES.map((locale) => (
            <MenuRadioItem key={locale} value={locale}>
              <span lang={locale}>{HOST_LANGUAGES[locale].name}</span>
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
        <MenuSeparator />
        <MenuLabel>{t('appearance')}</MenuLabel>
        <MenuRadioGroup
          value={theme}
          onValueChange={(value) => {
            setTheme(value as Theme);
            setShown(value as Theme);
          }}
        >
          {THEMES.map((option) => (
            <MenuRadioItem key={option.value} value={option.value}>
              <option.icon aria-hidden />
              {t(option.label)}
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
        <MenuSeparator />
        <MenuItem asChild>
          <Link href={paths.settings}>
            <Settings aria-hidden />
            {t('settings')}
          </Link>
        </MenuItem>
        <MenuItem asChild>
          <a href={paths.help('first-hour')} target="_blank" hrefLang="en" rel="noopener">
            <CircleQuestionMark aria-hidden />
            {ui('help')}
          </a>
        </MenuItem>
        <MenuItem onSelect={() => void signOut()}>
          <LogOut aria-hidden />
          {t('sign_out')}
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
