'use client';
import { Monitor, Smartphone } from 'lucide-react';
import { ToggleGroup } from 'radix-ui';
import { useState } from 'react';
import { MASK } from '@/modules/mail/rules/mask.rules';
import { cn } from '../ui/cn';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs';

const WIDTHS = [
  { value: 'wide', label: 'Wide', icon: Monitor },
  { value: 'phone', label: 'Phone', icon: Smartphone },
] as const;

/** A mail in both of its forms, as its reader sees it. */
export function MailPreview({ html, text, stale }: { html: string; text: string; stale?: boolean }) {
  const [width, setWidth] = useState<string>('wide');
  return (
    <Tabs defaultValue="html">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <TabsList aria-label="Form of the mail">
          <TabsTrigger value="html">Formatted</TabsTrigger>
          <TabsTrigger value="text">Plain text</TabsTrigger>
        </TabsList>
        <ToggleGroup.Root
          type="single"
          value={width}
          aria-label="Width"
          onValueChange={(value) => value && setWidth(value)}
          className="hidden gap-0.5 rounded-lg border bg-muted p-0.5 md:flex"
        >
          {WIDTHS.map((option) => (
            <ToggleGroup.Item
              key={option.value}
              value={option.value}
              className="inline-flex items-center gap-1.5 rounded-md px-2.5 py-1 text-ink-soft text-xs hover:text-ink data-[state=on]:bg-surface data-[state=on]:text-ink data-[state=on]:shadow-card"
            >
              <option.icon className="size-3.5" aria-hidden />
              {option.label}
            </ToggleGroup.Item>
          ))}
        </ToggleGroup.Root>
      </div>
      {text.includes(MASK) ? (
        <p className="text-ink-soft text-sm">Links and codes are hidden here: only their reader has them.</p>
      ) : null}
      <TabsContent value="html">
        <div className="rounded-lg bg-muted/60 p-2 sm:p-4">
          {/* Sandboxed: the mail's links and markup can do nothing here. */}
          <iframe
            title="The mail as its reader sees it"
            sandbox=""
            srcDoc={html}
            className={cn(
              'mx-auto block h-[70dvh] min-h-96 w-full rounded-md border bg-white transition-[max-width,opacity] [color-scheme:light]',
              width === 'phone' ? 'max-w-[24rem]' : 'max-w-[44rem]',
              stale && 'opacity-60',
            )}
          />
        </div>
      </TabsContent>
      <TabsContent value="text">
        <section
          aria-label="Plain text"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard.
          tabIndex={0}
          className="max-h-[70dvh] overflow-auto rounded-lg border bg-muted/40"
        >
          <pre className="whitespace-pre-wrap break-words p-4 font-mono text-xs leading-relaxed">{text}</pre>
        </section>
      </TabsContent>
    </Tabs>
  );
}
