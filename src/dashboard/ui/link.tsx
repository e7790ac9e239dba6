'use client';
import NextLink from 'next/link';
import { type ComponentProps, useState } from 'react';

/**
 * Next's link, which fetches its page beforehand only once somebody is about to follow it. Left to
 * itself Next fetches every link in sight: with the navigation that is two dozen requests a page,
 * each with its session and its queries.
 */
export function Link({ onPointerEnter, onFocus, onClick, ...link }: ComponentProps<typeof NextLink>) {
  const [near, setNear] = useState(false);
  return (
    <NextLink
      {...link}
      prefetch={near ? null : false}
      onClick={(event) => {
        // Without a network the browser would show a page of its own, and what was typed here would be gone.
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
