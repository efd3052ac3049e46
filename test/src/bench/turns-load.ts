import { setTimeout as delay } from 'node:timers/promises'
import { costOfTree } from './process-tree.js'
import type { TurnsSubject } from './turns-subjects.js'

/**
 * So few that a peer whose memory shows its model ten messages by default shows it the whole
 * conversation.
 */
const turnsOfConversation = 5
const sampleMs = 250

/** What one round of load came to. */
export interface Round {
  readonly turnsPerSecond: number
  /** Of every turn, in milliseconds. */
  readonly times: readonly number[]
  /** Of the processor, for the server's processes together, in milliseconds. */
  readonly cpuMsOfTurn: number
  readonly peakMb: number
}

/**
 * Turns for so many seconds, so many at a time. Every conversation has five turns; a new one is the
 * next caller's, so that no one writes more often than a person may.
 */
export async function runTurns(
  subject: TurnsSubject,
  load: { readonly atOnce: number; readonly seconds: number; readonly callers: number },
): Promise<Round> {
  const { atOnce, seconds, callers } = load
  const times: number[] = []
  const stop = new AbortController()
  const memory = watchMemory(subject, stop.signal)
  const before = await costOfTree(subject.child.process)
  const began = performance.now()
  const until = began + seconds * 1_000
  await Promise.all(
    Array.from({ length: atOnce }, async (_, worker) => {
      for (let caller = worker; performance.now() < until; caller = (caller + atOnce) % callers) {
        const turn = await subject.begin(caller)
        for (let count = 0; count < turnsOfConversation && performance.now() < until; count += 1) {
          const asked = performance.now()
          await turn()
          times.push(performance.now() - asked)
        }
      }
    }),
  )
  const took = performance.now() - began
  const after = await costOfTree(subject.child.process)
  stop.abort()
  return {
    turnsPerSecond: times.length / (took / 1_000),
    times,
    cpuMsOfTurn: (after.cpuMs - before.cpuMs) / times.length,
    peakMb: Math.max(after.residentMb, await memory),
  }
}

/** The most memory that was seen until the signal, in megabytes. */
async function watchMemory(subject: TurnsSubject, signal: AbortSignal): Promise<number> {
  let peak = 0
  while (!signal.aborted) {
    peak = Math.max(peak, (await costOfTree(subject.child.process)).residentMb)
    // Ends early when the round does.
    await delay(sampleMs, undefined, { signal }).catch(() => undefined)
  }
  return peak
}
