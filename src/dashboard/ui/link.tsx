'use client';
import NextLink from 'next/link';
import { type ComponentProps, useState } from 'react';

/**
 * Next's link with prefetching on hover and focus only. By default Next prefetches every visible
 * link: with the navigation, two dozen requests for each page, each with its session and queries.
 */
export function Link({ onPointerEnter, onFocus, onClick, ...link }: ComponentProps<typeof NextLink>) {
  const [near, setNear] = useState(false);
  return (
    <NextLink
      {...link}
      prefetch={near ? null : false}
      onClick={(event) => {
        // While offline, the browser would show its own error page, and unsaved input would be lost.
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
