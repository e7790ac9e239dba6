'use client';
import { useEffect, useState } from 'react';
import { CALENDAR_VIEWS, type CalendarView } from './geometry';

const KEY = 'threshold:calendar-view';
const isView = (text: string | null): text is CalendarView => text !== null && text in CALENDAR_VIEWS;

/** The period that the calendar shows at once. The browser remembers it. */
export function useView(): [CalendarView, (view: CalendarView) => void] {
  const [view, setView] = useState<CalendarView>('month');
  useEffect(() => {
    try {
      const kept = window.localStorage.getItem(KEY);
      if (isView(kept)) setView(kept);
    } catch {
      // Without storage, the view starts with a month.
    }
  }, []);
  const change = (next: CalendarView) => {
    setView(next);
    try {
      window.localStorage.setItem(KEY, next);
    } catch {
      // Without storage, the choice lasts until the next page load.
    }
  };
  return [view, change];
}
