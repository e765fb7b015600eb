/** `BENCH_PROFILE=folder` keeps a CPU profile of a measured process there. */
export function profiling(): string[] {
  const folder = process.env.BENCH_PROFILE
  return folder === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', folder]
}
