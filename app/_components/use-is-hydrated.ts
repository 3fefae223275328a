import { useSyncExternalStore } from 'react';

/** Whether React has hydrated the page. Buttons that need JavaScript are disabled until then. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(subscribeToNothing, toTrue, toFalse);
}

const subscribeToNothing = () => () => {};
const toTrue = () => true;
const toFalse = () => false;
