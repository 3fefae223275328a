/**
 * Preloaded into Portkey's gateway: it adds headers to streamed responses, and those of `fetch` are
 * immutable, so that every stream would be a 500.
 */
const { fetch: nativeFetch, Response: NativeResponse } = globalThis;

globalThis.fetch = async (...given) => {
  const { body, status, statusText, headers } = await nativeFetch(...given);
  return new NativeResponse(body, { status, statusText, headers: new Headers(headers) });
};
