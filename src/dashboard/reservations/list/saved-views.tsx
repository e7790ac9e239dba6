'use client';
import { Bookmark } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../../paths';
import { Button } from '../../ui/button';
import { lazyComponent } from '../../ui/lazy-component';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from '../../ui/overlay/dropdown-menu';
import { toast } from '../../ui/overlay/toaster';
import { useSavedViews } from './use-saved-views';

const SaveViewDialog = lazyComponent(() => import('./save-view-dialog').then((file) => file.SaveViewDialog));

/** Lists the user's saved views. `query` is the current filter as a query string. */
export function SavedReservationViews({ query }: { query: string }) {
  const t = useTranslations('reservations');
  const router = useRouter();
  const { views, save, remove } = useSavedViews();
  const [saving, setSaving] = useState(false);
  const all = views.data ?? [];
  const current = all.find((view) => view.query === query);
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <Button variant="secondary" className="max-w-48">
            <Bookmark aria-hidden />
            <span className="truncate">{current?.name ?? t('views')}</span>
          </Button>
        </MenuTrigger>
        <MenuContent align="end">
          {all.length === 0 ? <MenuLabel>{t('no_view_is_saved_yet')}</MenuLabel> : null}
          {all.map((view) => (
            <MenuItem
              key={view.id}
              aria-current={view === current ? 'true' : undefined}
              onSelect={() => router.push(`${paths.reservations}?${view.query}`)}
            >
              {view.name}
            </MenuItem>
          ))}
          <MenuSeparator />
          {current ? (
            <MenuItem
              onSelect={() =>
                remove.mutate(
                  { id: current.id },
                  {
                    onSuccess: () =>
                      void toast.success(t('name_is_deleted', { name: current.name }), {
                        action: {
                          label: t('undo'),
                          onClick: () => save.mutate({ name: current.name, query: current.query }),
                        },
                      }),
                  },
                )
              }
            >
              {t('delete_name', { name: current.name })}
            </MenuItem>
          ) : (
            <MenuItem disabled={query === ''} onSelect={() => setSaving(true)}>
              {t('save_these_filters')}
            </MenuItem>
          )}
        </MenuContent>
      </Menu>
      {saving ? <SaveViewDialog query={query} save={save} onClose={() => setSaving(false)} /> : null}
    </>
  );
}
