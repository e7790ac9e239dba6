'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Smartphone } from 'lucide-react';
import { memo, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { GUEST_LANGUAGES, type GuestLocale } from '@/shared/guest-text/locale';
import { toDisplayableError } from '../../read-error';
import { useTRPCClient } from '../../trpc';
import type { SigningPagePreviewInput } from '../../types';
import { Card } from '../../ui/card';
import { cn } from '../../ui/cn';
import { NativeSelect } from '../../ui/form/input';
import { Skeleton } from '../../ui/skeleton';

const TYPING_MS = 400;

/** Debounces a value: returns the new value once it has not changed for a while. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content matters, not the identity of the object.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Returns a load handler that restores the scroll position, because a new preview starts at its top. */
function useKeptScroll(frame: RefObject<HTMLIFrameElement | null>): () => void {
  const top = useRef(0);
  return () => {
    const view = frame.current?.contentWindow;
    view?.scrollTo({ top: top.current });
    view?.addEventListener('scroll', () => {
      top.current = view.scrollY;
    });
  };
}

interface GuestPreviewProps extends Omit<SigningPagePreviewInput, 'locale'> {
  className?: string;
  /** Returns the frame's load handler. The packet editor scrolls the preview to the edited row. */
  useLoadHandler?: typeof useKeptScroll;
}

/** Loads the rendered page of the draft. Shows the previous page until the next has loaded. */
function usePreview(input: SigningPagePreviewInput | null) {
  const client = useTRPCClient();
  return useQuery({
    queryKey: ['packet-preview', input],
    queryFn: ({ signal }) => client.signing_page.preview.mutate(input as SigningPagePreviewInput, { signal }),
    enabled: input !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 0,
    retry: false,
  });
}

/** The signing page as a guest sees it on a phone before signing, rendered from the draft. */
export const PhonePreviewOfSigningPage = memo(function GuestPreview({
  className,
  useLoadHandler = useKeptScroll,
  ...input
}: GuestPreviewProps) {
  const t = useTranslations('packets');
  const [locale, setLocale] = useState<GuestLocale>('en');
  const frame = useRef<HTMLIFrameElement>(null);
  const onLoad = useLoadHandler(frame);
  const preview = usePreview({ ...useSettled(input), locale });
  return (
    <Card className={className}>
      <div className="flex items-center justify-between gap-3 border-b px-4 py-2.5">
        <h2 className="flex items-center gap-2 font-semibold text-sm">
          <Smartphone className="size-4 text-ink-soft" aria-hidden />
          {t('as_a_guest_sees_it')}
        </h2>
        <NativeSelect
          aria-label={t('language_of_the_preview')}
          className="h-8! w-auto!"
          value={locale}
          onChange={(event) => setLocale(event.target.value as typeof locale)}
        >
          {Object.entries(GUEST_LANGUAGES).map(([code, { name }]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </NativeSelect>
      </div>
      <div className="bg-muted/60 p-4">
        <div className="mx-auto h-[min(42rem,calc(100dvh-14rem))] min-h-96 max-w-[22rem] overflow-hidden rounded-[1.75rem] border-4 border-line-strong bg-surface">
          {preview.data ? (
            // The frame has the same origin to load the app's fonts, but may not run scripts.
            <iframe
              ref={frame}
              onLoad={onLoad}
              title={t('the_signing_page_as_a_guest_sees')}
              sandbox="allow-same-origin"
              srcDoc={preview.data.html}
              className={cn('size-full transition-opacity', preview.isPlaceholderData && 'opacity-70')}
            />
          ) : preview.error ? null : (
            <div className="grid gap-3 p-5" aria-busy>
              <Skeleton className="h-8 w-32" />
              <Skeleton className="h-20" />
              <Skeleton className="h-40" />
            </div>
          )}
        </div>
        {preview.error ? (
          <p role="alert" className="mt-3 text-center text-ink-soft text-xs">
            {t('the_preview_waits')} {toDisplayableError(preview.error).message}
          </p>
        ) : null}
      </div>
    </Card>
  );
});
