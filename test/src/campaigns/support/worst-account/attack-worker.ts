import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { createRandom } from '../../../support/random.js'
import type { Attacker } from './attack.js'
import { attacks } from './attacks.js'
import { createCaller } from './caller.js'

/**
 * What the thread is started with. It attacks from the start until it is sent anything, and says
 * then what it did.
 */
export interface AttackOrder {
  readonly url: string
  readonly token: string
  readonly address: string
  readonly chatId: string
  readonly exported: string
  readonly seed: number
  readonly names: readonly string[]
  /** How many attacks run beside each other. */
  readonly atOnce: number
}

/** What the service answered to each attack: how often with which status. */
export type AttackCounts = Readonly<Record<string, Readonly<Record<string, number>>>>

/** How long a round may go on once it is to end, in milliseconds. */
const endMs = 10_000

async function attack(order: AttackOrder): Promise<AttackCounts> {
  const { url, token, address, chatId, exported, seed, names, atOnce } = order
  const counts: Record<string, Record<string, number>> = {}
  const random = createRandom(seed)
  const caller = createCaller(url, { address, token })
  const over = new AbortController()
  parentPort?.once('message', () => over.abort())
  // Every attack once, in an order of its own, before any comes again.
  const rest: string[] = []
  const nextName = (): string => {
    if (rest.length === 0) rest.push(...names)
    return rest.splice(random.between(0, rest.length - 1), 1)[0] ?? ''
  }
  const goOn = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const name = nextName()
      const own = counts[name] ?? {}
      counts[name] = own
      const attacker: Attacker = {
        ...{ caller, random, chatId, exported, signal: over.signal },
        count: (status) => {
          own[status] = (own[status] ?? 0) + 1
        },
      }
      await attacks[name]?.(attacker)
    }
  }
  const going = Promise.all(Array.from({ length: atOnce }, goOn))
  await new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve(), { once: true }))
  await Promise.race([going, setTimeout(endMs)])
  caller.close()
  return counts
}

parentPort?.postMessage(await attack(workerData as AttackOrder))
