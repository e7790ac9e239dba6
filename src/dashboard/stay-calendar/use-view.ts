'use client';
import { useEffect, useState } from 'react';
import { STAY_CALENDAR_VIEW_DAYS, type StayCalendarView } from './geometry';

const KEY = 'threshold:calendar-view';
const isView = (text: string | null): text is StayCalendarView => text !== null && text in STAY_CALENDAR_VIEW_DAYS;

/**
 * Returns the period that the calendar shows at once, and a function to change it. The browser
 * stores the choice.
 */
export function useStayCalendarView(): [StayCalendarView, (view: StayCalendarView) => void] {
  const [view, setView] = useState<StayCalendarView>('month');
  useEffect(() => {
    try {
      const kept = window.localStorage.getItem(KEY);
      if (isView(kept)) setView(kept);
    } catch {
      // When browser storage is unavailable, the calendar starts with the month view.
    }
  }, []);
  const change = (next: StayCalendarView) => {
    setView(next);
    try {
      window.localStorage.setItem(KEY, next);
    } catch {
      // When browser storage is unavailable, the choice lasts until the next page load.
    }
  };
  return [view, change];
}
