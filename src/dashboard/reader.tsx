'use client';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { ZONE_COOKIE } from '@/modules/accounts/session-headers';
import { keepCookie } from './keep-cookie';
import { ownZone } from './ui/zone';

interface Reader {
  /** Whose clock it is where there is no property's. */
  zone: string;
  now: () => Date;
}

const ReaderContext = createContext<Reader>({ zone: 'UTC', now: () => new Date() });

/**
 * Where and when a page is read. What the server draws and what the browser draws first must be the
 * same words: so both begin with the zone that the browser left in a cookie the last time, and with
 * the server's minute.
 */
export function ReaderProvider({
  zone,
  rendered_at,
  children,
}: {
  /** Null before the first visit; the server then draws nothing that has a clock. */
  zone: string | null;
  rendered_at: string;
  children: ReactNode;
}) {
  const [shown, setShown] = useState(zone ?? ownZone());
  const drawn = useRef(false);
  const [now] = useState(() => () => (drawn.current ? new Date() : new Date(rendered_at)));
  useEffect(() => {
    drawn.current = true;
    const own = ownZone();
    setShown(own);
    if (own !== zone) keepZone();
  }, [zone]);
  return <ReaderContext.Provider value={{ zone: shown, now }}>{children}</ReaderContext.Provider>;
}

/** Leaves the reader's zone for what the server draws next. */
export const keepZone = () => keepCookie(ZONE_COOKIE, encodeURIComponent(ownZone()));

export const useReader = () => useContext(ReaderContext);
