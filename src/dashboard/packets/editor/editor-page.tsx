'use client';
import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { lazy, Suspense, useEffect } from 'react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../../paths';
import { toDisplayableError } from '../../read-error';
import { useTRPC } from '../../trpc';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/empty-state';
import { ErrorPanel } from '../../ui/error-panel';
import { retryImport } from '../../ui/lazy-component';
import { LinkButton } from '../../ui/link-button';
import { PageHeader } from '../../ui/page-header';
import { Skeleton } from '../../ui/skeleton';
import type { BackLink } from './editor';

export function PacketEditorPage({ property_id, id }: { property_id: string; id: string }) {
  return id === DEFAULT ? <DefaultPacket property_id={property_id} /> : <OnePacket property_id={property_id} id={id} />;
}

/** Used in URLs in place of the default packet's id. */
const DEFAULT = 'default';

/**
 * Redirects to the current default packet. Without a default packet, redirects to the property's
 * page, which explains that it is missing.
 */
function DefaultPacket({ property_id }: { property_id: string }) {
  const t = useTranslations('packets');
  const router = useRouter();
  const trpc = useTRPC();
  const variants = useQuery(trpc.packets.list.queryOptions({ id: property_id }));
  const back = { href: paths.property(property_id), label: t('property') };
  const found = variants.data?.data.find(({ is_default, status }) => is_default && status === 'active');
  const to = variants.data && (found ? paths.packet(property_id, found.id) : paths.property(property_id));
  useEffect(() => {
    if (to) router.replace(to);
  }, [to, router]);
  return variants.error && !variants.data ? (
    <EditorError error={variants.error} back={back} onRetry={() => void variants.refetch()} />
  ) : (
    <EditorSkeleton back={back} />
  );
}

const loadEditor = () => import('./editor');
// The editor and the API's schemas are larger than the rest of the page, so they are loaded in
// parallel with the packet.
const Editor = lazy(() => retryImport(loadEditor).then((file) => ({ default: file.PacketEditor })));

function OnePacket({ property_id, id }: { property_id: string; id: string }) {
  const t = useTranslations('packets');
  useEffect(() => void loadEditor().catch(() => {}), []);
  const trpc = useTRPC();
  // Never refetches automatically, because the text that the host is editing must not change.
  const editable = useQuery(
    trpc.packets.retrieve.queryOptions({ id }, { staleTime: 0, refetchOnWindowFocus: false, gcTime: 0 }),
  );
  const property = useQuery(trpc.properties.retrieve.queryOptions({ id: property_id }, { staleTime: 60_000 }));
  const back = { href: paths.property(property_id), label: property.data?.name ?? t('property') };
  if (!editable.data) {
    if (!editable.error) return <EditorSkeleton back={back} />;
    return <EditorError error={editable.error} back={back} onRetry={() => void editable.refetch()} />;
  }
  return (
    <Suspense fallback={<EditorSkeleton back={back} />}>
      <Editor
        key={id}
        loaded={editable.data}
        back={back}
        zone={property.data?.timezone ?? null}
        property_id={property_id}
        reload={async () => (await editable.refetch()).data ?? null}
      />
    </Suspense>
  );
}

function EditorError({ error, back, onRetry }: { error: unknown; back: BackLink; onRetry: () => void }) {
  const t = useTranslations('packets');
  const { status, message, request_id } = toDisplayableError(error);
  return (
    <>
      <PageHeader back={back} title={t('packet')} />
      <Card>
        {status === 404 ? (
          <EmptyState
            icon={SearchX}
            title={t('there_is_no_such_packet')}
            action={
              <LinkButton variant="secondary" href={back.href}>
                {t('back_to_the_property')}
              </LinkButton>
            }
          >
            {message}
          </EmptyState>
        ) : (
          <ErrorPanel
            title={t('the_packet_could_not_be_loaded')}
            message={message}
            requestId={request_id}
            onRetry={onRetry}
          />
        )}
      </Card>
    </>
  );
}

function EditorSkeleton({ back }: { back: BackLink }) {
  return (
    <div aria-busy="true">
      <PageHeader back={back} title={null} description={<Skeleton className="h-4 w-80" />} />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid gap-6">
          <Skeleton className="h-64 rounded-xl!" />
          <Skeleton className="h-80 rounded-xl!" />
        </div>
        <Skeleton className="h-[40rem] rounded-xl! max-xl:hidden" />
      </div>
    </div>
  );
}
