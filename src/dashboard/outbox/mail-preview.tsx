'use client';
import { Monitor, Smartphone } from 'lucide-react';
import { ToggleGroup } from 'radix-ui';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { SECRET_MASK } from '@/modules/mail/rules/mask.rules';
import { cn } from '../ui/cn';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs';

const WIDTHS = [
  { value: 'wide', icon: Monitor },
  { value: 'phone', icon: Smartphone },
] as const;

/** Shows a mail as HTML and as plain text, as its recipient sees it. */
export function MailPreview({ html, text, stale }: { html: string; text: string; stale?: boolean }) {
  const t = useTranslations('outbox');
  const [width, setWidth] = useState<string>('wide');
  return (
    <Tabs defaultValue="html">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <TabsList aria-label={t('form_of_the_mail')}>
          <TabsTrigger value="html">{t('formatted')}</TabsTrigger>
          <TabsTrigger value="text">{t('plain_text')}</TabsTrigger>
        </TabsList>
        <ToggleGroup.Root
          type="single"
          value={width}
          aria-label={t('width')}
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
              {t(`width_${option.value}`)}
            </ToggleGroup.Item>
          ))}
        </ToggleGroup.Root>
      </div>
      {text.includes(SECRET_MASK) ? (
        <p className="text-ink-soft text-sm">{t('links_and_codes_are_hidden_here_only')}</p>
      ) : null}
      <TabsContent value="html">
        <div className="rounded-lg bg-muted/60 p-2 sm:p-4">
          {/* The sandbox prevents the mail's links and scripts from acting on the dashboard. */}
          <iframe
            title={t('the_mail_as_its_reader_sees_it')}
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
          aria-label={t('plain_text')}
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
