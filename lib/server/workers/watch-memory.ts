/** How often memory is read. */
const checkMs = 5_000;
/** A worker whose memory is above the bound in so many checks in a row stays above it. */
const checksMin = 3;

type MemoryWatch = Readonly<{
  bytesMax: number;
  /** Called at each check from the one on that shows that the memory stays above the bound. */
  onTooLarge: (bytes: number) => void;
  /** Resident memory, in bytes. */
  readBytes?: () => number;
}>;

/** Watches the resident memory of this process for as long as it lives. */
export function watchMemory({
  bytesMax,
  onTooLarge,
  readBytes = process.memoryUsage.rss,
}: MemoryWatch): void {
  let checks = 0;
  const check = () => {
    const bytes = readBytes();
    checks = bytes > bytesMax ? checks + 1 : 0;
    if (checks >= checksMin) onTooLarge(bytes);
  };
  setInterval(check, checkMs).unref();
}
