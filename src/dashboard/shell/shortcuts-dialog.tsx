'use client';
import { useTranslations } from 'use-intl/react';
import { SwitchRow } from '../properties/form-parts';
import { Dialog } from '../ui/overlay/dialog';
import { SHORTCUTS } from './shortcuts';

interface ShortcutsDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  on: boolean;
  onSwitch: (on: boolean) => void;
}

/** Lists every keyboard shortcut, and has the switch for single-key shortcuts. */
export function ShortcutsDialog({ open, onOpenChange, on, onSwitch }: ShortcutsDialogProps) {
  const t = useTranslations('shell');
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('keyboard_shortcuts')}>
      <div className="grid gap-5">
        <dl className="grid gap-x-8 gap-y-2 text-sm sm:grid-cols-2">
          {SHORTCUTS.map(({ keys, label }) => (
            <div key={label} className="flex items-center justify-between gap-3">
              <dt>{t(label)}</dt>
              <dd className="flex shrink-0 gap-1">
                {keys.map((key) => (
                  <kbd
                    key={key}
                    className="grid h-6 min-w-6 place-items-center rounded-sm border bg-muted px-1.5 font-sans text-xs"
                  >
                    {key}
                  </kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
        <SwitchRow
          label={t('single_keys')}
          hint={t('all_but_ctrl_k_they_never_act')}
          checked={on}
          onChange={onSwitch}
        />
      </div>
    </Dialog>
  );
}
