'use client';
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button';
import { CopyField } from '../ui/copy-field';
import { Dialog } from '../ui/overlay/dialog';
import { Notice } from './notice';

interface ShownOnceProps {
  title: string;
  /** What it is, for the copy button: `API key`. */
  label: string;
  secret: string;
  children?: ReactNode;
  onClose: () => void;
}

/** A secret in the only moment it can be seen. It leaves by the button alone: a stray click or key must not lose it. */
export function ShownOnce({ title, label, secret, children, onClose }: ShownOnceProps) {
  const [hasty, setHasty] = useState(false);
  return (
    <Dialog
      open
      onOpenChange={() => setHasty(true)}
      title={title}
      footer={<Button onClick={onClose}>I have stored it</Button>}
    >
      <div className="grid gap-4 text-sm leading-relaxed">
        <Notice tone="warning" title="Copy it now: it is shown this once.">
          We keep no copy that could be read. Put it into your secret store, never into a browser or a repository.
        </Notice>
        <CopyField value={secret} label={label} />
        {children}
        {hasty ? (
          <p role="alert" className="text-danger text-sm">
            Store it first: once this is closed, nobody can show it again.
          </p>
        ) : null}
      </div>
    </Dialog>
  );
}
