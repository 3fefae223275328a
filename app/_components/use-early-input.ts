import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';

/** Takes over what was typed into a field before the page’s program was there. */
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

/** Whether the page’s program is there: a button that needs it can be pressed from then on. */
export function useIsReady(): boolean {
  return useSyncExternalStore(subscribeToNothing, toTrue, toFalse);
}

const subscribeToNothing = () => () => {};
const toTrue = () => true;
const toFalse = () => false;
