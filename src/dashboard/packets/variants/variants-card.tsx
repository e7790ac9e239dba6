'use client';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../../paths';
import { QueryErrorPanel } from '../../query-error';
import { usePermissions } from '../../shell/me';
import { useTRPC } from '../../trpc';
import type { PacketDetail } from '../../types';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card, CardHeader } from '../../ui/card';
import { DateTime } from '../../ui/date-time';
import { lazyComponent } from '../../ui/lazy-component';
import { Link } from '../../ui/link';
import { Skeleton } from '../../ui/skeleton';
import { getVariantCreationBlockedReason } from './reasons';
import { VariantButtons } from './variant-buttons';

const NewVariantDialog = lazyComponent(() => import('./variant-dialogs').then((file) => file.NewVariantDialog));
const RenameDialog = lazyComponent(() => import('./variant-dialogs').then((file) => file.RenamePacketVariantDialog));

/**
 * Lists the packets of a property: the default packet, and variants that single reservations use.
 */
export function VariantsCard({ property_id }: { property_id: string }) {
  const t = useTranslations('packets');
  const router = useRouter();
  const { manages } = usePermissions();
  const trpc = useTRPC();
  const query = useQuery(trpc.packets.list.queryOptions({ id: property_id }));
  const [creating, setCreating] = useState(false);
  const [renaming, setRenaming] = useState<PacketDetail | null>(null);
  const [copying, setCopying] = useState<PacketDetail | null>(null);
  const variants = query.data?.data ?? [];
  const active = variants.filter(({ status }) => status === 'active').length;
  const full = query.data ? getVariantCreationBlockedReason(active, query.data.limit, t) : null;
  const open = (id: string) => router.push(paths.packet(property_id, id));
  return (
    <Card>
      <CardHeader
        title={t('packets')}
        description={t('reservations_get_the_default_unless_they_are')}
        actions={
          manages ? (
            <Button variant="secondary" disabledReason={full} onClick={() => setCreating(true)}>
              <Plus aria-hidden />
              {t('new_variant')}
            </Button>
          ) : null
        }
      />
      {query.data ? (
        <ul className="divide-y divide-line" aria-label={t('packets')}>
          {variants.map((variant) => (
            <Row
              key={variant.id}
              variant={variant}
              full={full}
              property_id={property_id}
              onRename={() => setRenaming(variant)}
              onCopy={() => setCopying(variant)}
            />
          ))}
        </ul>
      ) : query.error ? (
        <QueryErrorPanel title={t('the_packets_could_not_be_loaded')} query={query} />
      ) : (
        <div className="grid gap-3 p-5" aria-busy>
          <Skeleton className="h-5 w-48" />
          <Skeleton className="h-4 w-72" />
        </div>
      )}
      {creating || copying ? (
        <NewVariantDialog
          property_id={property_id}
          original={copying}
          onClose={() => {
            setCreating(false);
            setCopying(null);
          }}
          onCreated={(packet) => open(packet.id)}
        />
      ) : null}
      {renaming ? <RenameDialog packet={renaming} onClose={() => setRenaming(null)} /> : null}
    </Card>
  );
}

interface RowProps {
  variant: PacketDetail;
  /** The reason why no further packet can be activated. Null below the limit. */
  full: string | null;
  property_id: string;
  onRename: () => void;
  onCopy: () => void;
}

function Row({ variant: packet, full, property_id, onRename, onCopy }: RowProps) {
  const t = useTranslations('packets');
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="grid min-w-0 flex-1 basis-56 gap-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Link href={paths.packet(property_id, packet.id)} className="break-words font-medium hover:underline">
            {packet.name}
          </Link>
          {packet.is_default ? <Badge tone="primary">{t('default')}</Badge> : null}
          {packet.status === 'archived' ? <Badge>{t('archived')}</Badge> : null}
        </p>
        <p className="text-ink-soft text-sm">
          {t.rich('rules_and_fees', {
            rules: packet.rules.length,
            fees: packet.fees.length,
            time: () => <DateTime value={packet.updated_at} />,
          })}
        </p>
      </div>
      <VariantButtons variant={packet} full={full} onRename={onRename} onCopy={onCopy} />
    </li>
  );
}
