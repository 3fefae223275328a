import { expect, test } from 'vitest';
import { isInstalled } from '../../../programs.ts';
import { createCertificate } from '../../../support/programs/nginx.ts';
import {
  publicAddress,
  rebindingName,
  runInRebindingNetwork,
} from '../../../support/programs/rebinding-network.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

const isPossible = (['bwrap', 'busybox', 'openssl'] as const).every(isInstalled);

test.skipIf(!isPossible)(
  'a name that is public at the check and this machine’s at the connection leads to the public address',
  async () => {
    const folder = makeTestFolder();
    await createCertificate(folder, rebindingName);
    expect(await runInRebindingNetwork(folder)).toEqual({
      created: { result: 0, requests: [] },
      'rebound after the check': { result: '200', requests: [`${publicAddress} POST`] },
      'rebound before it': { result: 'URL refused', requests: [] },
      refused: { result: 1, requests: [] },
      picture: { result: 'network', requests: [] },
      fetch: { result: publicAddress, requests: ['127.0.0.1 POST'] },
    });
  },
);
