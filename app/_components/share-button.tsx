'use client';

import { useState } from 'react';
import { Icon } from './icon.tsx';

/** Hands the page's address to the device's own way of sharing; copies it where there is none. */
export function ShareButton({ title }: Readonly<{ title: string }>) {
  const [said, setSaid] = useState('Share');
  const share = async () => {
    const { origin, pathname } = location;
    const url = origin + pathname;
    if (navigator.share) {
      // Rejected where the visitor thinks better of it.
      await navigator.share({ title, url }).catch(() => {});
      return;
    }
    const copied = navigator.clipboard?.writeText(url) ?? Promise.reject(new Error('no clipboard'));
    setSaid(
      await copied.then(
        () => 'Address copied',
        () => 'Copying is not allowed here',
      ),
    );
  };
  return (
    <button type="button" className="button-quiet only-with-script" onClick={share}>
      <Icon name="share" />
      <span role="status">{said}</span>
    </button>
  );
}
