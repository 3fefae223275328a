/** A fetch that counts its calls, to see a client's retries. */
export function createCountedFetch() {
  let calls = 0;
  const counted: typeof fetch = (input, init) => {
    calls += 1;
    return fetch(input, init);
  };
  return { fetch: counted, calls: () => calls };
}
