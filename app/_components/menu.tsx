'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';

type MenuProps = Readonly<{
  className: string;
  /** What opens it: a `<summary>`. */
  summary: ReactNode;
  /** Whether it is open when the page loads. */
  isOpen?: boolean;
  children: ReactNode;
}>;

/** A `<details>` over the page: Escape closes it, and a click outside, which does nothing else. */
export function Menu({ className, summary, isOpen = false, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  // From then on visitors open and close it.
  const [wasOpen] = useState(isOpen);
  useEffect(() => {
    const toOpen = () => (menu.current?.open ? menu.current : null);
    const onPress = (event: MouseEvent) => {
      const open = toOpen();
      // A click without a press comes from the keyboard: Enter in a field submits its form.
      if (!open || event.detail === 0 || open.contains(event.target as Node)) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.type === 'click') open.open = false;
    };
    const onKey = (event: KeyboardEvent) => {
      const open = toOpen();
      if (!open || event.key !== 'Escape') return;
      open.open = false;
      open.querySelector('summary')?.focus();
    };
    // A press would move the focus.
    addEventListener('mousedown', onPress, true);
    addEventListener('click', onPress, true);
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('mousedown', onPress, true);
      removeEventListener('click', onPress, true);
      removeEventListener('keydown', onKey);
    };
  }, []);
  return (
    <details ref={menu} className={className} open={wasOpen}>
      {summary}
      {children}
    </details>
  );
}
