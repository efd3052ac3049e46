import { getEventListeners } from 'node:events'
import { pass } from '../event-loop-turns.js'

/** The kinds of what keeps a process alive and that a run may leave behind. */
const kinds = ['Timeout', 'FSEventWrap', 'StatWatcher', 'TCPServerWrap', 'PipeWrap', 'UDPWrap', 'ProcessWrap', 'MessagePort'] as const

/** How many of each kind the process has. */
export type Resources = Readonly<Record<string, number>>

/** What is open now, once what is ready has happened. */
export async function openResources(): Promise<Resources> {
  await pass()
  const open = process.getActiveResourcesInfo()
  return Object.fromEntries(kinds.map((kind) => [kind, open.filter((each) => each === kind).length]))
}

/** Fewer than this is no sign of a leak: other tests of the process come and go. */
const minGrowth = 3

/** The kinds of which each of several runs has left at least one. */
export const grownKinds = (before: Resources, after: Resources): readonly string[] =>
  kinds.filter((kind) => (after[kind] ?? 0) - (before[kind] ?? 0) >= minGrowth)

/** Holds what it would abort weakly, and so holds nothing: `fetch` leaves one of these on its signal. */
const isWeak = (listener: unknown): boolean => /\.deref\(\)/.test(String(listener))

/** How many listeners are left on a signal. */
export const listenersOn = (signal: AbortSignal): number => getEventListeners(signal, 'abort').filter((one) => !isWeak(one)).length
