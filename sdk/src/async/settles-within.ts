import { processTimers, type TimeSource } from './time-source.js'

/**
 * Whether a piece of work has ended, well or not, within `limitMs`. The work is not stopped, and
 * its failure is handled. No timer remains.
 */
export async function settlesWithin(
  work: PromiseLike<unknown>,
  { limitMs, clock = processTimers }: { readonly limitMs: number; readonly clock?: TimeSource },
): Promise<boolean> {
  let cancel: () => void | Promise<void> = () => undefined
  const settled = new Promise<boolean>((resolve) => {
    const end = (): void => resolve(true)
    work.then(end, end)
    cancel = clock.after(limitMs, () => resolve(false))
  })
  return settled.finally(() => cancel())
}
