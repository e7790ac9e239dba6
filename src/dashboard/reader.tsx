'use client';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { TIME_ZONE_COOKIE } from '@/modules/accounts/session-headers';
import { setPreferenceCookie } from './keep-cookie';
import { getBrowserTimeZone } from './ui/zone';

interface Reader {
  /** The reader's time zone, used where no property's time zone applies. */
  zone: string;
  now: () => Date;
}

const ReaderContext = createContext<Reader>({ zone: 'UTC', now: () => new Date() });

/**
 * Provides the reader's time zone and clock. The server and the browser must first render the same
 * page, so both use the zone from the browser's cookie and the server's time.
 */
export function ViewerClockProvider({
  zone,
  rendered_at,
  children,
}: {
  /** Null when the browser has no cookie with the zone yet. The server then renders no times. */
  zone: string | null;
  rendered_at: string;
  children: ReactNode;
}) {
  const [shown, setShown] = useState(zone ?? getBrowserTimeZone());
  const drawn = useRef(false);
  const [now] = useState(() => () => (drawn.current ? new Date() : new Date(rendered_at)));
  useEffect(() => {
    drawn.current = true;
    const own = getBrowserTimeZone();
    setShown(own);
    if (own !== zone) storeBrowserTimeZone();
  }, [zone]);
  return <ReaderContext.Provider value={{ zone: shown, now }}>{children}</ReaderContext.Provider>;
}

/** Stores the reader's zone in a cookie for the next render on the server. */
export const storeBrowserTimeZone = () =>
  setPreferenceCookie(TIME_ZONE_COOKIE, encodeURIComponent(getBrowserTimeZone()));

export const useViewerClock = () => useContext(ReaderContext);
