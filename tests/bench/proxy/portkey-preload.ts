/**
 * Preloaded into Portkey's gateway, which adds headers to the answers that it streams: those of `fetch`
 * do not take any, so that every stream would be a 500.
 */
const { fetch: send, Response: NativeResponse } = globalThis;

globalThis.fetch = async (...given) => {
  const { body, status, statusText, headers } = await send(...given);
  return new NativeResponse(body, { status, statusText, headers: new Headers(headers) });
};
