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

/**
 * Provides the messages of one language. A page adds its namespaces to those that every page has.
 */
export function MessagesProvider({ locale, messages, children }: WordsProviderProps) {
  const all = { ...useContext(MessagesContext), ...messages };
  return (
    <MessagesContext.Provider value={all}>
      {/* Days and times are written by ui/date-time.tsx, each in a zone of its own. */}
      <IntlProvider locale={locale} messages={all} timeZone="UTC">
        {children}
      </IntlProvider>
    </MessagesContext.Provider>
  );
}
