'use client';
import { usePathname, useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { type HelpPageName, paths } from '../paths';
import { PageHeader } from '../ui/page-header';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs';
import { getSettingsSection, SETTINGS_SECTIONS, type SettingsSection } from './sections';

const pathOf = (section: SettingsSection) => (section === 'team' ? paths.settings : paths.settings_section(section));

const HELP: Partial<Record<SettingsSection, HelpPageName>> = {
  members: 'members',
  notifications: 'emails',
  data: 'data-requests',
};

/**
 * The layout of the settings. The tabs stay mounted when the section changes, so that they keep the
 * keyboard focus.
 */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const t = useTranslations('settings');
  const router = useRouter();
  const current = getSettingsSection(usePathname());
  const active = useRef<HTMLButtonElement>(null);
  // Scrolls the current tab into view. On a phone the tabs are wider than the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ref contains another tab when the section changes.
  useEffect(() => {
    // In some browsers `scrollIntoView` returns a promise, which an effect must not return. The
    // braces prevent this.
    active.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <>
      <PageHeader title={t('settings')} help={HELP[current]} />
      <Tabs value={current} onValueChange={(section) => router.push(pathOf(section as SettingsSection))}>
        <TabsList>
          {SETTINGS_SECTIONS.map((value) => (
            <TabsTrigger
              key={value}
              ref={value === current ? active : undefined}
              value={value}
              onPointerEnter={() => router.prefetch(pathOf(value))}
            >
              {t(value === 'audit-log' ? 'section_audit_log' : `section_${value}`)}
            </TabsTrigger>
          ))}
        </TabsList>
        {SETTINGS_SECTIONS.map((value) => (
          <TabsContent key={value} value={value} className="min-w-0">
            {value === current ? children : null}
          </TabsContent>
        ))}
      </Tabs>
    </>
  );
}
