import { useCallback, useEffect, useRef } from 'react';

/**
 * Collects the text that the user types while the palette is loading. Returns a function that stops
 * collecting and returns the text.
 */
export function useTextTypedWhileLoading(waiting: boolean): () => string {
  const typed = useRef('');
  const arrived = useRef(false);
  useEffect(() => {
    if (!waiting || arrived.current) return;
    const onKey = (event: KeyboardEvent) => {
      if (arrived.current || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1);
      else if (event.key.length === 1) typed.current += event.key;
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [waiting]);
  return useCallback(() => {
    arrived.current = true;
    return typed.current;
  }, []);
}
