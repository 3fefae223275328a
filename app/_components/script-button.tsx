import type { ComponentProps } from 'react';
import { useIsHydrated } from './use-is-hydrated.ts';

type ScriptButtonProps = Omit<ComponentProps<'button'>, 'type' | 'disabled'>;

/** A button that needs JavaScript: hidden without it, and disabled until React has hydrated the page. */
export function ScriptButton({ className, ...attributes }: ScriptButtonProps) {
  const isHydrated = useIsHydrated();
  return (
    <button
      {...attributes}
      type="button"
      className={`${className} only-with-script`}
      disabled={!isHydrated}
    />
  );
}
