import type { Clock } from '@agent-service/sdk/services/clock'
import {
  type Hold,
  type HoldOptions,
  type Limit,
  type LimitDefinition,
  limitReachedError,
  overloadedError,
} from '@agent-service/sdk/services/quotas'
import { createWaitingRoom } from './waiting-room.js'

/** A limit, and what the metrics show of it. */
export interface MeasuredLimit extends Limit {
  readonly definition: LimitDefinition
  /** How much all holders have. */
  readonly total: () => number
  /** How many have something. */
  readonly holders: () => number
  /** How often something was refused since the start. */
  readonly refused: () => number
}

interface OwnHold extends Hold {
  readonly options: HoldOptions
}

/** Makes a limit. Memory: one entry for each holder that has something or waits. */
export function createLimit(definition: LimitDefinition, clock: Clock): MeasuredLimit {
  const { name, counts, maxTotal = Number.POSITIVE_INFINITY, reserve, displaceIdleMs } = definition
  const holds = new Map<string, Set<OwnHold>>()
  const used = new Map<string, number>()
  let total = 0
  let refused = 0

  const maxOf = (holder: string): number =>
    typeof definition.maxPerHolder === 'function' ? definition.maxPerHolder(holder) : definition.maxPerHolder
  const usedBy = (holder: string): number => used.get(holder) ?? 0
  const retry = { retryAfterSeconds: 2 }

  /** Why a hold cannot grow from one amount to another now. */
  const refusal = (holder: string, from: number, to: number): Error | undefined => {
    if (to <= from) return undefined
    const max = maxOf(holder)
    if (usedBy(holder) - from + to > max) return limitReachedError.create({ limit: name, counts, max }, retry)
    const room = reserve && to > reserve.upTo ? maxTotal - reserve.amount : maxTotal
    return total - from + to > room ? overloadedError.create({ limit: name, counts }, retry) : undefined
  }

  const add = (holder: string, amount: number): void => {
    total += amount
    const now = usedBy(holder) + amount
    if (now === 0 && !holds.has(holder)) used.delete(holder)
    else used.set(holder, now)
  }

  /** Ends the longest idle hold of a holder, if one has been idle long enough. */
  const displace = (holder: string): boolean => {
    if (displaceIdleMs === undefined) return false
    const idleSince = clock.monotonic() - displaceIdleMs
    const [oldest] = [...(holds.get(holder) ?? [])]
      .flatMap((hold) => (hold.options.lastUsed ? [{ hold, lastUsed: hold.options.lastUsed() }] : []))
      .filter(({ lastUsed }) => lastUsed <= idleSince)
      .sort((a, b) => a.lastUsed - b.lastUsed)
    if (!oldest) return false
    oldest.hold.release()
    oldest.hold.options.onDisplaced?.()
    return true
  }

  const hold = (holder: string, amount: number, options: HoldOptions): Hold => {
    let own = amount
    let released = false
    const made: OwnHold = {
      holder,
      options,
      get amount() {
        return own
      },
      resize(next) {
        if (released) return
        const error = refusal(holder, own, next)
        if (error) {
          refused += 1
          throw error
        }
        add(holder, next - own)
        const shrinks = next < own
        own = next
        if (shrinks) waiting.admit()
      },
      release() {
        if (released) return
        released = true
        const others = holds.get(holder)
        others?.delete(made)
        if (others?.size === 0) holds.delete(holder)
        add(holder, -own)
        own = 0
        waiting.admit()
      },
    }
    const others = holds.get(holder) ?? new Set<OwnHold>()
    holds.set(holder, others.add(made))
    add(holder, amount)
    return made
  }

  const tryTake = (holder: string, amount: number, options: HoldOptions): Hold | Error => {
    let error = refusal(holder, 0, amount)
    if (limitReachedError.isInstance(error) && displace(holder)) error = refusal(holder, 0, amount)
    return error ?? hold(holder, amount, options)
  }

  const waiting = createWaitingRoom<Hold>(definition.waiting, clock)

  return {
    definition,
    take(holder, amount = 1, options = {}) {
      const taken = tryTake(holder, amount, options)
      if (!(taken instanceof Error)) return taken
      refused += 1
      throw taken
    },
    async acquire(holder, amount, { signal, ...options }) {
      signal.throwIfAborted()
      const taken = tryTake(holder, amount, options)
      if (!(taken instanceof Error)) return taken
      try {
        return await waiting.wait(holder, () => tryTake(holder, amount, options), { signal, refusal: taken })
      } catch (error) {
        if (error === taken) refused += 1
        throw error
      }
    },
    used: usedBy,
    total: () => total,
    holders: () => holds.size,
    refused: () => refused,
  }
}
