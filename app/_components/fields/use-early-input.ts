import { type RefObject, useEffect, useRef } from 'react';

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
