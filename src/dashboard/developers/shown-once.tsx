'use client';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../ui/button';
import { CopyField } from '../ui/copy-field';
import { Dialog } from '../ui/overlay/dialog';
import { Notice } from './notice';

interface ShownOnceProps {
  title: string;
  /** The secret's name in the copy button's label: `API key`. */
  label: string;
  secret: string;
  children?: ReactNode;
  onClose: () => void;
}

/**
 * Shows a secret once. Only the dialog's button closes it, so that a stray click or key does not
 * lose the secret.
 */
export function SecretShownOnceDialog({ title, label, secret, children, onClose }: ShownOnceProps) {
  const t = useTranslations('developers');
  const [hasty, setHasty] = useState(false);
  return (
    <Dialog
      open
      onOpenChange={() => setHasty(true)}
      title={title}
      footer={<Button onClick={onClose}>{t('i_have_stored_it')}</Button>}
    >
      <div className="grid gap-4 text-sm leading-relaxed">
        <Notice tone="warning" title={t('copy_it_now')}>
          {t('we_keep_no_copy')}
        </Notice>
        <CopyField value={secret} label={label} />
        {children}
        {hasty ? (
          <p role="alert" className="text-danger text-sm">
            {t('store_it_first')}
          </p>
        ) : null}
      </div>
    </Dialog>
  );
}
