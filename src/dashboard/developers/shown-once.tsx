'use client';
import type { ReactNode } from 'react';
import { Button } from '../ui/button';
import { CopyField } from '../ui/copy-field';
import { Dialog } from '../ui/dialog';
import { Notice } from './notice';

interface ShownOnceProps {
  title: string;
  /** What it is, for the copy button: `API key`. */
  label: string;
  secret: string;
  children?: ReactNode;
  onClose: () => void;
}

/** A secret in the only moment it can be seen. It leaves by the button alone: a stray click must not lose it. */
export function ShownOnce({ title, label, secret, children, onClose }: ShownOnceProps) {
  return (
    <Dialog open onOpenChange={() => {}} title={title} footer={<Button onClick={onClose}>I have stored it</Button>}>
      <div className="grid gap-4 text-sm leading-relaxed">
        <Notice tone="warning" title="Copy it now: it is shown this once.">
          We keep no copy that could be read. Put it into your secret store, never into a browser or a repository.
        </Notice>
        <CopyField value={secret} label={label} />
        {children}
      </div>
    </Dialog>
  );
}
