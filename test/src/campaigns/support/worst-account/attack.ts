import type { Random } from '../../../support/random.js'
import type { Caller } from './caller.js'

/** What an attack works with: one account, from one address. */
export interface Attacker {
  readonly caller: Caller
  readonly random: Random
  /** A chat of many long messages, and its export. */
  readonly chatId: string
  readonly exported: string
  /** Ends with the campaign. */
  readonly signal: AbortSignal
  /** Counts what the service said. */
  readonly count: (status: number | string) => void
}

/**
 * One round of something expensive: it takes a few seconds and leaves nothing open. What the
 * service refuses is counted, not thrown.
 */
export type Attack = (attacker: Attacker) => Promise<void>

/** Calls, and counts the answer; a connection that broke is `broken`. */
export async function tryCall(
  { caller, count, signal }: Attacker,
  method: string,
  path: string,
  options: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>>; readonly abortAfterMs?: number } = {},
): Promise<string> {
  const { abortAfterMs, ...rest } = options
  const until = abortAfterMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(abortAfterMs)])
  try {
    const { status, text } = await caller.call(method, path, { ...rest, signal: until })
    count(status)
    return text
  } catch {
    count('broken')
    return ''
  }
}

/** Does something so many times, side by side. */
export const times = async (number: number, work: (index: number) => Promise<unknown>): Promise<void> => {
  await Promise.all(Array.from({ length: number }, (_, index) => work(index)))
}
