'use client';

import { useEffect } from 'react';

/** Chooses the time zone of the browser, where the visitor has not chosen one yet. */
export function BrowserTimeZone() {
  useEffect(() => {
    const field = document.getElementById('timeZone');
    if (!(field instanceof HTMLSelectElement)) return;
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const isUntouched = field.selectedOptions[0]?.defaultSelected ?? false;
    const isKnown = [...field.options].some(({ value }) => value === timeZone);
    if (isUntouched && isKnown) field.value = timeZone;
  }, []);
  return null;
}
