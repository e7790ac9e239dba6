'use client';
import NextLink from 'next/link';
import { type ComponentProps, useState } from 'react';

/**
 * Next's link, which prefetches only on hover and focus. By default Next prefetches every visible
 * link. The navigation alone would cause two dozen requests per page, each with a session and
 * queries.
 */
export function Link({ onPointerEnter, onFocus, onClick, ...link }: ComponentProps<typeof NextLink>) {
  const [near, setNear] = useState(false);
  return (
    <NextLink
      {...link}
      prefetch={near ? null : false}
      onClick={(event) => {
        // While offline, following a link would open the browser's error page and lose unsaved
        // input.
        if (!navigator.onLine) event.preventDefault();
        else onClick?.(event);
      }}
      onPointerEnter={(event) => {
        setNear(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setNear(true);
        onFocus?.(event);
      }}
    />
  );
}
