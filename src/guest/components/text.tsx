import type { ReactNode } from 'react';
import type { PacketItemChangeSinceLastView } from '@/modules/signing/packet-view';
import type { TranslateFunction } from '@/shared/guest-text/translate';
import { splitTextAtLinks } from '../linkify';

/** A host's text, escaped, with line breaks, and with plain URLs as links. */
export function HostWrittenText({ text }: { text: string }) {
  return (
    <div className="host-text" dir="auto">
      {text
        .split(/\n{2,}/)
        .filter((paragraph) => paragraph.trim() !== '')
        .map((paragraph, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: static markup, nothing is ever reordered
          <p key={index}>{inline(paragraph)}</p>
        ))}
    </div>
  );
}

/** A host's text without line breaks. */
export function HostWrittenSingleLineText({ text }: { text: string }) {
  return (
    <span className="host-line" dir="auto">
      {inline(text)}
    </span>
  );
}

function inline(text: string): ReactNode[] {
  return splitTextAtLinks(text).map((part, index) =>
    part.kind === 'link' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: static markup, nothing is ever reordered
      <a key={index} href={part.href} target="_blank" rel="noopener noreferrer nofollow">
        {part.text}
      </a>
    ) : (
      part.text
    ),
  );
}

/** Marks a single text as changed or removed. */
export function TextChangeBadge({ text, changed, t }: { text: string | null; changed: boolean; t: TranslateFunction }) {
  if (changed && !text?.trim()) return <strong className="mark mark-removed">{t('changed.removed')}</strong>;
  return <PacketItemChangeBadge change={changed ? 'changed' : null} t={t} />;
}

/** Marks text that the guest has not read yet as “New” or “Changed”. */
export function PacketItemChangeBadge({
  change,
  t,
}: {
  change: PacketItemChangeSinceLastView | null | undefined;
  t: TranslateFunction;
}) {
  return change ? <strong className="mark">{t(`changed.${change}`)}</strong> : null;
}

/**
 * Shows a hash in groups of eight characters, so that people can compare it. The copied text
 * contains no spaces.
 */
export function FormattedHash({ value }: { value: string }) {
  return (
    <code className="hash" translate="no" dir="ltr">
      {(value.match(/.{1,8}/g) ?? []).map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: static markup, nothing is ever reordered
        <span key={index}>{group}</span>
      ))}
    </code>
  );
}
