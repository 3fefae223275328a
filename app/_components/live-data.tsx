import { useEffect } from 'react';
import useSWR from 'swr';

/** What was loaded last, and how it goes. */
export type LiveState<T> = Readonly<{
  /** Undefined until something has been loaded. */
  data: T | undefined;
  error: Error | undefined;
  isLoading: boolean;
  retry: () => void;
}>;

export type LiveDataProps<T> = Readonly<{
  url: string;
  load: (url: string) => Promise<T>;
  onChange: (state: LiveState<T>) => void;
}>;

/** How an open page follows the API: once a minute, and when its tab gets the focus. */
export const liveOptions = {
  revalidateOnMount: true,
  keepPreviousData: true,
  refreshInterval: 60_000,
  focusThrottleInterval: 5_000,
} as const;

/** Loads a URL again and again, and hands on what comes. It shows nothing. */
export default function LiveData<T>({ url, load, onChange }: LiveDataProps<T>) {
  const { data, error, isLoading, mutate } = useSWR<T, Error>(url, load, liveOptions);
  useEffect(() => {
    onChange({ data, error, isLoading, retry: () => void mutate() });
  }, [data, error, isLoading, mutate, onChange]);
  return null;
}
