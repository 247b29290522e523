/** The fraction of run × golden ratio: runs in any arithmetic progression are spread evenly over 0 to 1, the same every time. */
export function spread(run: number): number {
  return (run * ((1 + Math.sqrt(5)) / 2)) % 1;
}
