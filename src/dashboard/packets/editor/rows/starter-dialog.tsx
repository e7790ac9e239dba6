'use client';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Checkbox } from '../../../developers/checkbox';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/overlay/dialog';

interface StarterDialogProps {
  title: string;
  options: readonly { key: string; label: string; hint: string }[];
  /** The texts that the packet already contains. The dialog does not offer them. */
  present: readonly string[];
  onAdd: (keys: readonly string[]) => void;
  onClose: () => void;
}

/** Lists common rules or fees. The host ticks the ones to add to the packet. */
export function AddSuggestedPacketItemsDialog({ title, options, present, onAdd, onClose }: StarterDialogProps) {
  const t = useTranslations('packets');
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const there = new Set(present.map((text) => text.trim().toLowerCase()));
  const left = options.filter(({ key }) => !there.has(key.toLowerCase()));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={t('tick_what_holds_at_your_house_it')}
      footer={
        <>
          <Button variant="ghost" onClick={() => setTicked(left.map(({ key }) => key))}>
            {t('tick_all')}
          </Button>
          <Button
            disabled={ticked.length === 0}
            onClick={() => {
              onAdd(ticked);
              onClose();
            }}
          >
            {t('add_count', { count: ticked.length })}
          </Button>
        </>
      }
    >
      {left.length === 0 ? <p className="text-sm">{t('all_of_them_are_there_already')}</p> : null}
      <div className="grid gap-3">
        {left.map(({ key, label, hint }) => (
          <Checkbox
            key={key}
            label={label}
            hint={hint}
            checked={ticked.includes(key)}
            onChange={() => setTicked(ticked.includes(key) ? ticked.filter((each) => each !== key) : [...ticked, key])}
          />
        ))}
      </div>
    </Dialog>
  );
}
