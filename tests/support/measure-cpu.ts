/** CPU time of this thread for some work, ms: on a busy machine the clock says more. */
export function measureCpuMs(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}
