import { ServiceError } from '@agent-service/sdk'
import type { Hold, Quotas } from '@agent-service/sdk/services/quotas'
import { tooManyProcessesError } from '@agent-service/sdk/services/sandbox'

/** How many processes may run: of one agent, of one user, of all. */
export const maxProcesses = { principal: 32, user: 64, total: 256 } as const

/** Places for processes. */
export interface ProcessPlaces {
  /** Takes a place; its release may be called more than once. @throws `too_many_processes`. */
  take(principal: string, userId: string): Hold['release']
}

export function createProcessPlaces(quotas: Quotas): ProcessPlaces {
  const limit = quotas.limit({
    ...{ name: 'sandbox-processes', counts: 'processes in the sandbox' },
    ...{ maxPerHolder: maxProcesses.user, maxTotal: maxProcesses.total },
  })
  const taken = new Map<string, number>()
  return {
    take(principal, userId) {
      const count = taken.get(principal) ?? 0
      if (count >= maxProcesses.principal) throw tooManyProcessesError.create({ whose: 'The agent', max: maxProcesses.principal })
      const hold = takeOf(() => limit.take(`user:${userId}`))
      taken.set(principal, count + 1)
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        hold.release()
        const left = (taken.get(principal) ?? 1) - 1
        if (left > 0) taken.set(principal, left)
        else taken.delete(principal)
      }
    },
  }
}

function takeOf(take: () => Hold): Hold {
  try {
    return take()
  } catch (error) {
    const code = ServiceError.isInstance(error) ? error.code : undefined
    if (code === 'limit_reached') throw tooManyProcessesError.create({ whose: 'The user', max: maxProcesses.user }, { cause: error })
    if (code === 'overloaded') throw tooManyProcessesError.create({ whose: 'The service', max: maxProcesses.total }, { cause: error })
    throw error
  }
}
