import type { Adapter, AdapterPayload } from 'oidc-provider';

/** Keeps what the provider stores until it stops. Without an adapter the provider warns that its own one is for trials. */
export function createMemoryAdapters(): (name: string) => Adapter {
  const stored = new Map<string, AdapterPayload>();
  const find = (test: (payload: AdapterPayload, key: string) => boolean) =>
    [...stored].find(([key, payload]) => test(payload, key))?.[1];
  return (name) => {
    const toKey = (id: string) => `${name}:${id}`;
    const isOfThisKind = (key: string) => key.startsWith(`${name}:`);
    return {
      async upsert(id, payload) {
        stored.set(toKey(id), payload);
      },
      find: async (id) => stored.get(toKey(id)),
      findByUid: async (uid) => find((payload, key) => isOfThisKind(key) && payload.uid === uid),
      findByUserCode: async (code) =>
        find((payload, key) => isOfThisKind(key) && payload.userCode === code),
      async consume(id) {
        const payload = stored.get(toKey(id));
        if (payload) stored.set(toKey(id), { ...payload, consumed: Math.floor(Date.now() / 1000) });
      },
      async destroy(id) {
        stored.delete(toKey(id));
      },
      async revokeByGrantId(grantId) {
        for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key);
      },
    };
  };
}
