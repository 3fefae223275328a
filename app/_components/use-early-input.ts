import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';

/** Takes over what a visitor typed into a controlled field before hydration. */
export function useEarlyInput<E extends { value: string }>(
  value: string,
  onChange: (value: string) => void,
): RefObject<E | null> {
  const field = useRef<E>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    const typed = field.current?.value ?? value;
    if (isFirst.current && typed !== value) onChange(typed);
    isFirst.current = false;
  }, [value, onChange]);
  return field;
}

/** Whether React has hydrated the page. Buttons that need JavaScript are disabled until then. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(subscribeToNothing, toTrue, toFalse);
}

const subscribeToNothing = () => () => {};
const toTrue = () => true;
const toFalse = () => false;
