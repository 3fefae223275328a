/** How often memory is read. */
const checkMs = 5_000;
/** A worker whose memory is above the bound in so many checks in a row stays above it. */
const checksMin = 3;

/** What a worker sends while its memory stays above the bound. */
export type TooLarge = Readonly<{ memoryBytes: number }>;

export function isTooLarge(message: unknown): message is TooLarge {
  return typeof message === 'object' && message !== null && 'memoryBytes' in message;
}

type MemoryWatch = Readonly<{
  bytesMax: number;
  /** To the primary. */
  send?: (message: TooLarge) => void;
  /** Resident memory, in bytes. */
  readBytes?: () => number;
}>;

/** In a worker: watches its resident memory, and asks to be replaced from the check on that shows that it stays above. */
export function watchMemory({
  bytesMax,
  send = (message) => process.send?.(message),
  readBytes = process.memoryUsage.rss,
}: MemoryWatch): void {
  let checks = 0;
  const check = () => {
    const memoryBytes = readBytes();
    checks = memoryBytes > bytesMax ? checks + 1 : 0;
    if (checks >= checksMin) send({ memoryBytes });
  };
  setInterval(check, checkMs).unref();
}
