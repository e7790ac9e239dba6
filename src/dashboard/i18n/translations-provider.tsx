'use client';
import { createContext, type ReactNode, useContext } from 'react';
import type { AbstractIntlMessages } from 'use-intl/core';
import { IntlProvider } from 'use-intl/react';
import type { HostLocale } from '@/shared/language/host-language';

const MessagesContext = createContext<AbstractIntlMessages>({});

interface WordsProviderProps {
  locale: HostLocale;
  /** Compiled messages by namespace. */
  messages: AbstractIntlMessages;
  children: ReactNode;
}

/** Provides the messages of one language, in addition to the messages of a surrounding provider. */
export function TranslationsProvider({ locale, messages, children }: WordsProviderProps) {
  const all = { ...useContext(MessagesContext), ...messages };
  return (
    <MessagesContext.Provider value={all}>
      {/* The library requires a time zone, but ui/date-time.tsx formats all times, each in its own
          zone. */}
      <IntlProvider locale={locale} messages={all} timeZone="UTC">
        {children}
      </IntlProvider>
    </MessagesContext.Provider>
  );
}
