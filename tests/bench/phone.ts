import type { CDPSession } from 'playwright';

/** A mid-range phone: options of a browser context. */
export const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
} as const;

/** Slow 4G, as DevTools and Lighthouse define it, and a slower CPU, applied to one tab. */
export async function throttle(devtools: CDPSession, cpuSlowdown: number): Promise<void> {
  const toBytesPerSecond = (kbitPerSecond: number) => (kbitPerSecond * 1000) / 8;
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: toBytesPerSecond(1_600),
    uploadThroughput: toBytesPerSecond(750),
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
}
