import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { LiveDataProps, LiveState } from './live-data.tsx';

// SWR is needed a minute after the page, or when somebody filters: not for a first look.
const LiveData = lazy(() => import('./live-data.tsx'));

const firstRefreshMs = 60_000;

type LiveDataOptions<T> = Readonly<{
  /** Null for nothing. */
  url: string | null;
  /** Of a fixed identity. */
  load: (url: string) => Promise<T>;
  /** Whether the page does not have it: otherwise it is loaded after a minute, or when the tab gets the focus again. */
  isNeeded: boolean;
}>;

/** Follows a URL of the API. Render `loader` anywhere. */
export function useLiveData<T>({ url, load, isNeeded }: LiveDataOptions<T>) {
  const [state, setState] = useState<LiveState<T>>();
  const isDue = useIsDue();
  const isOn = url !== null && (isNeeded || isDue || state !== undefined);
  const loader: ReactNode = isOn && (
    <Suspense>
      <LiveData
        url={url}
        load={load}
        // React's lazy components have no type parameters.
        onChange={setState as LiveDataProps<unknown>['onChange']}
      />
    </Suspense>
  );
  return {
    data: state?.data,
    error: state?.error,
    isLoading: isNeeded && (state?.isLoading ?? true),
    retry: () => state?.retry(),
    loader,
  };
}

/** Whether the page has been open for a minute, or its tab got the focus. */
function useIsDue(): boolean {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const begin = () => setDue(true);
    const onVisible = () => document.visibilityState === 'visible' && begin();
    const timer = setTimeout(begin, firstRefreshMs);
    addEventListener('focus', begin);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', begin);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, []);
  return isDue;
}
