import type { LimitDefinition } from '@agent-service/sdk/services/quotas'

/** The maximum that an amount would exceed. */
export type Refusal = 'holder' | 'total'

/** How much the holders of a limit use. */
export interface LimitSums {
  /**
   * Why an amount cannot be taken if the `released` amounts are released with it; `undefined` if it
   * can.
   */
  refusal(holder: string, max: number, amount: number, released?: readonly number[]): Refusal | undefined
  /** Changes the amount of one hold; a new hold changes from 0, a released one to 0. */
  change(holder: string, from: number, to: number): void
  /**
   * Adds or removes a hold. The sum of a holder without holds is removed, so that no rounding error
   * remains.
   */
  count(holder: string, by: 1 | -1): void
  used(holder: string): number
  total(): number
  holders(): number
}

interface Share {
  used: number
  holds: number
}

/** Makes empty sums. Memory: one entry for each holder that has a hold. */
export function createLimitSums({
  maxTotal = Number.POSITIVE_INFINITY,
  reserve,
}: Pick<LimitDefinition, 'maxTotal' | 'reserve'>): LimitSums {
  const shares = new Map<string, Share>()
  const maxLarge = reserve ? maxTotal - reserve.amount : Number.POSITIVE_INFINITY
  const largeOf = (amount: number): number => (reserve && amount > reserve.upTo ? amount : 0)
  let total = 0
  let large = 0
  return {
    refusal(holder, max, amount, released = []) {
      const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0)
      const freed = sum(released)
      if (amount <= freed && largeOf(amount) <= sum(released.map(largeOf))) return undefined
      if ((shares.get(holder)?.used ?? 0) - freed + amount > max) return 'holder'
      if (total - freed + amount > maxTotal) return 'total'
      return largeOf(amount) > 0 && large - sum(released.map(largeOf)) + largeOf(amount) > maxLarge ? 'total' : undefined
    },
    change(holder, from, to) {
      total += to - from
      large += largeOf(to) - largeOf(from)
      const share = shares.get(holder)
      if (share) share.used += to - from
    },
    count(holder, by) {
      const share = shares.get(holder) ?? { used: 0, holds: 0 }
      share.holds += by
      if (share.holds > 0) shares.set(holder, share)
      else shares.delete(holder)
      if (shares.size > 0) return
      total = 0
      large = 0
    },
    used: (holder) => shares.get(holder)?.used ?? 0,
    total: () => total,
    holders: () => shares.size,
  }
}
