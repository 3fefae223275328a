import { type ComponentProps, useSyncExternalStore } from 'react';

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

/** Whether React has hydrated the page. Buttons that need JavaScript are disabled until then. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(subscribeToNothing, toTrue, toFalse);
}

const subscribeToNothing = () => () => {};
const toTrue = () => true;
const toFalse = () => false;
