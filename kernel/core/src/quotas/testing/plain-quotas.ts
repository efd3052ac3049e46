import { type Hold, type LimitDefinition, limitReachedError, overloadedError } from '@agent-service/sdk/services/quotas'
import type { CountedLimit, QuotaRegistry } from '../index.js'

const retry = { retryAfterSeconds: 2 }

/** Limits that only count and refuse: nothing waits, is reserved for others or is displaced. */
export function createPlainQuotas(): QuotaRegistry {
  const limits = new Set<CountedLimit>()
  const declare = (definition: LimitDefinition) => {
    const limit = plainLimit(definition)
    limits.add(limit)
    return { limit, end: () => void limits.delete(limit) }
  }
  return { declare, limit: (definition) => declare(definition).limit, limits: () => limits }
}

function plainLimit(definition: LimitDefinition): CountedLimit {
  const { name: limit, counts, maxPerHolder, maxTotal = Number.POSITIVE_INFINITY } = definition
  const used = new Map<string, number>()
  const total = (): number => [...used.values()].reduce((sum, amount) => sum + amount, 0)
  const change = (holder: string, by: number): void => {
    const next = (used.get(holder) ?? 0) + by
    const max = typeof maxPerHolder === 'function' ? maxPerHolder(holder) : maxPerHolder
    const refusal = next > max ? limitReachedError.create({ limit, counts, max }, retry) : overloadedError.create({ limit, counts }, retry)
    if (by > 0 && (next > max || total() + by > maxTotal)) throw refusal
    if (next > 0) used.set(holder, next)
    else used.delete(holder)
  }
  const take = (holder: string, taken = 1): Hold => {
    let amount = taken
    change(holder, amount)
    const resize = (next: number): void => {
      change(holder, next - amount)
      amount = next
    }
    return {
      holder,
      get amount() {
        return amount
      },
      resize,
      release: () => resize(0),
    }
  }
  return {
    definition,
    take,
    acquire: async (holder, amount) => take(holder, amount),
    used: (holder) => used.get(holder) ?? 0,
    total,
  }
}
