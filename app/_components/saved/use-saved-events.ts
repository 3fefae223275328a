import { useSyncExternalStore } from 'react';
import {
  addSavedEvent,
  parseSavedEvents,
  removeSavedEvent,
  type SavedEvent,
  updateSavedEvent,
} from '#lib/events/view/saved-events.ts';
import { announce } from '../announcement.tsx';

const key = 'saved-events';
const none: readonly SavedEvent[] = [];
const listeners = new Set<() => void>();
let text: string | null = null;
let events = none;

/** The events that were saved in this browser, in all of its tabs. Empty until React has hydrated the page. */
export function useSavedEvents(): readonly SavedEvent[] {
  return useSyncExternalStore(subscribe, readSaved, () => none);
}

export function saveEvents(...saved: readonly SavedEvent[]): void {
  if (write(saved.reduce(addSavedEvent, [...readSaved()]))) announce('Saved to My list');
}

export function removeEvent(id: string): void {
  if (write(removeSavedEvent(readSaved(), id))) announce('Removed from My list');
}

/** Stores an event as it is now: the visitor has seen what changed. */
export function acceptChanges(event: SavedEvent): void {
  write(updateSavedEvent(readSaved(), event));
}

// React asks often: the same text gives the same list.
function readSaved(): readonly SavedEvent[] {
  let stored: string | null;
  try {
    stored = localStorage.getItem(key);
  } catch {
    // Storage is disabled.
    return none;
  }
  if (stored !== text) {
    text = stored;
    events = parseSavedEvents(stored);
  }
  return events;
}

function write(list: readonly SavedEvent[]): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(list));
  } catch {
    // Storage is disabled or full.
    announce('Your browser did not allow saving');
    return false;
  }
  for (const listener of listeners) listener();
  return true;
}

// Browsers send `storage` to the other tabs only.
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}
