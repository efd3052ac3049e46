import { type Hold, type LimitDefinition, limitReachedError, type Quotas } from '../../services/quotas.js'

/** Quotas without waiting and preemption: a holder at its limit is refused. */
export interface FakeQuotas extends Quotas {
  /** The declared quotas, by name. */
  readonly declared: ReadonlyMap<string, LimitDefinition>
}

/** Makes quotas in which nothing is taken. */
export function createFakeQuotas(): FakeQuotas {
  const declared = new Map<string, LimitDefinition>()
  return {
    declared,
    limit(definition) {
      declared.set(definition.name, definition)
      const used = new Map<string, number>()
      const change = (holder: string, by: number): void => {
        const { name, counts, maxPerHolder } = definition
        const max = typeof maxPerHolder === 'function' ? maxPerHolder(holder) : maxPerHolder
        const next = (used.get(holder) ?? 0) + by
        if (by > 0 && next > max) throw limitReachedError.create({ limit: name, counts, max })
        if (next > 0) used.set(holder, next)
        else used.delete(holder)
      }
      const take = (holder: string, amount = 1): Hold => {
        checkAmount(amount)
        change(holder, amount)
        let own = amount
        let held = true
        return {
          holder,
          get amount() {
            return own
          },
          resize(next) {
            checkAmount(next)
            if (!held) return
            change(holder, next - own)
            own = next
          },
          release() {
            if (!held) return
            held = false
            change(holder, -own)
            own = 0
          },
        }
      }
      return {
        take,
        async acquire(holder, amount, { signal }) {
          signal.throwIfAborted()
          return take(holder, amount)
        },
        used: (holder) => used.get(holder) ?? 0,
      }
    },
  }
}

const checkAmount = (amount: number): void => {
  if (!Number.isFinite(amount) || amount < 0) throw new RangeError('The amount of a hold must be a finite number of at least 0.')
}
