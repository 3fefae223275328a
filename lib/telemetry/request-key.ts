const keyNames = new WeakMap<Request, string>();

/** Remembers the name of the API key that a request came with, for its line in the log. */
export function setKeyName(request: Request, name: string): void {
  keyNames.set(request, name);
}

export function getKeyName(request: Request | null): string | null {
  return (request && keyNames.get(request)) ?? null;
}
