import { pass } from './event-loop-turns.js'
import { settleWithin } from './settle-within.js'

/** When the suites abort work: before it begins, at once, and while it waits for something. */
export const momentsOfAbort = ['before it begins', 'at once', 'while it works'] as const

/**
 * Begins work, aborts it and waits for its end.
 * @throws if it goes on for longer than the limit.
 */
export async function abortAt(
  moment: (typeof momentsOfAbort)[number],
  work: (signal: AbortSignal) => Promise<unknown>,
  { limitMs, what }: { readonly limitMs: number; readonly what: string },
): Promise<void> {
  const controller = new AbortController()
  if (moment === 'before it begins') controller.abort(new Error('stopped'))
  const running = (async () => work(controller.signal))()
  if (moment === 'at once') controller.abort(new Error('stopped'))
  if (moment === 'while it works') {
    await Promise.race([pass(), running.catch(() => undefined)])
    controller.abort(new Error('stopped'))
  }
  await settleWithin(running, limitMs, `${what} that was aborted ${moment}`)
}
