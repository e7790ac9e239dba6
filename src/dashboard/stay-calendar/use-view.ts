'use client';
import { useEffect, useState } from 'react';
import { VIEWS, type View } from './geometry';

const KEY = 'threshold:calendar-view';
const isView = (text: string | null): text is View => text !== null && text in VIEWS;

/** How much of the calendar is seen at a time; this browser remembers it. */
export function useView(): [View, (view: View) => void] {
  const [view, setView] = useState<View>('month');
  useEffect(() => {
    try {
      const kept = window.localStorage.getItem(KEY);
      if (isView(kept)) setView(kept);
    } catch {
      // A browser that keeps nothing begins with a month.
    }
  }, []);
  const change = (next: View) => {
    setView(next);
    try {
      window.localStorage.setItem(KEY, next);
    } catch {
      // Then it holds for this page.
    }
  };
  return [view, change];
}
