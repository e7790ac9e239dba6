'use client';
import { useQuery } from '@tanstack/react-query';
import { CopyPlus, Eye, PenLine, Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { pickAllowedValue } from '../list/cursor';
import { NotFoundOrErrorCard } from '../not-found-or-error';
import { paths } from '../paths';
import { useMe, usePermissions } from '../shell/me';
import { useTRPC } from '../trpc';
import { Button } from '../ui/button';
import { CopyableId } from '../ui/copy-field';
import { lazyComponent, retryImport } from '../ui/lazy-component';
import { LinkButton } from '../ui/link-button';
import { PageHeader } from '../ui/page-header';
import { Skeleton } from '../ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs';

const DeletePropertyCard = dynamic(() =>
  retryImport(() => import('./delete-property').then((file) => file.DeletePropertyCard)),
);
const VariantsCard = dynamic(() =>
  retryImport(() => import('../packets/variants/variants-card').then((file) => file.VariantsCard)),
);
const DomainsTab = dynamic(() => retryImport(() => import('./domains-tab').then((file) => file.CustomDomainsTab)));
const SettingsTab = dynamic(() => retryImport(() => import('./settings-tab').then((file) => file.SettingsTab)));

const PropertyOverview = lazyComponent(
  () => import('./overview/property-overview'),
  () => <Skeleton className="mb-6 h-36 rounded-xl!" />,
);

const CopyPropertyDialog = lazyComponent(() => import('./copy-property'));

const MailTextsTab = lazyComponent(
  () => import('./mail-texts/mail-texts-tab'),
  () => <Skeleton className="h-96 rounded-xl!" />,
);

const TABS = ['packets', 'mails', 'settings', 'domains', 'delete'] as const;

function useBack() {
  const t = useTranslations('properties');
  return { href: paths.properties, label: t('properties') };
}

export function PropertyPage({ id }: { id: string }) {
  const back = useBack();
  const t = useTranslations('properties');
  const shell = useTranslations('shell');
  const { mode, user } = useMe();
  const { manages, handles_guests } = usePermissions();
  const [copying, setCopying] = useState(false);
  const trpc = useTRPC();
  const property = useQuery(trpc.properties.retrieve.queryOptions({ id: id }, { staleTime: 60_000 }));
  const router = useRouter();
  const pathname = usePathname();
  // Members who may not manage the team see only the packets, because every other tab changes
  // something.
  const tabs = manages ? TABS : (['packets'] as const);
  const tab = pickAllowedValue(tabs, useSearchParams().get('tab') ?? undefined) ?? 'packets';
  if (!property.data) {
    return property.error ? (
      <PropertyLoadErrorPanel error={property.error} onRetry={() => void property.refetch()} />
    ) : (
      <PropertySkeleton />
    );
  }
  const row = property.data;
  const open = (next: string) =>
    router.replace(next === 'packets' ? pathname : `${pathname}?tab=${next}`, { scroll: false });
  return (
    <>
      <PageHeader
        back={back}
        title={row.name}
        description={
          <span className="flex flex-wrap items-center gap-x-3">
            <span>{[row.address, row.city].filter(Boolean).join(', ') || t('no_address_yet')}</span>
            <CopyableId value={row.id} label={t('property_id')} />
          </span>
        }
        actions={
          <>
            {user.role === 'owner' || user.role === 'manager' ? (
              <Button variant="secondary" onClick={() => setCopying(true)}>
                <CopyPlus aria-hidden />
                {t(mode === 'live' ? 'copy_to_test' : 'copy_to_live')}
              </Button>
            ) : null}
            {handles_guests ? (
              <LinkButton variant="secondary" href={paths.new_reservation_at(row.id)}>
                <Plus aria-hidden />
                {shell('new_reservation')}
              </LinkButton>
            ) : null}
            <LinkButton href={paths.default_packet(row.id)}>
              {manages ? <PenLine aria-hidden /> : <Eye aria-hidden />}
              {t(manages ? 'write_the_rules' : 'see_the_rules')}
            </LinkButton>
          </>
        }
      />
      {copying ? <CopyPropertyDialog property={row} onClose={() => setCopying(false)} /> : null}
      {tab === 'packets' ? <PropertyOverview property={row} /> : null}
      <Tabs value={tab} onValueChange={open}>
        <TabsList aria-label={t('of_this_property')}>
          {tabs.map((name) => (
            <TabsTrigger key={name} value={name}>
              {t(`tab_${name}`)}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="packets">
          <VariantsCard property_id={row.id} />
        </TabsContent>
        <TabsContent value="mails">
          <MailTextsTab property={row} />
        </TabsContent>
        <TabsContent value="settings">
          <SettingsTab property={row} />
        </TabsContent>
        <TabsContent value="domains">
          <DomainsTab property={row} />
        </TabsContent>
        <TabsContent value="delete">
          <DeletePropertyCard property={row} />
        </TabsContent>
      </Tabs>
    </>
  );
}

export function PropertyLoadErrorPanel({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const back = useBack();
  const t = useTranslations('properties');
  return (
    <>
      <PageHeader back={back} title={t('property')} />
      <NotFoundOrErrorCard
        error={error}
        noun={t('property_2')}
        list={{ href: paths.properties, label: t('all_properties') }}
        onRetry={onRetry}
      />
    </>
  );
}

function PropertySkeleton() {
  const back = useBack();
  return (
    <div aria-busy="true">
      <PageHeader back={back} title={null} description={<Skeleton className="h-4 w-64" />} />
      <Skeleton className="mb-5 h-10 w-72" />
      <Skeleton className="h-64 rounded-xl!" />
    </div>
  );
}
