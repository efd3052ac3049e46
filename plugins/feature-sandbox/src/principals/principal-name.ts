import { createHash } from 'node:crypto'
import type { SandboxNetwork } from '@agent-service/sdk/contracts/sandbox-driver'
import type { SandboxPrincipal } from '@agent-service/sdk/services/sandbox'

/** The name of a principal for the driver: the same each time, and of no other one. */
export function principalName({ userId, kind, id }: Pick<SandboxPrincipal, 'userId' | 'kind' | 'id'>): string {
  const hash = createHash('sha256').update(`${userId}/${kind}/${id}`).digest('hex')
  return `${kind.replace('_', '-')}-${hash.slice(0, 40)}`
}

/**
 * The name of the loopback for work that is done for these agents. What may reach more is on another
 * one: that of the principal's own work, and that of the same work from a time when it had a network.
 */
export function loopbackName(callers: readonly string[], access: SandboxNetwork['access']): string {
  const hash = createHash('sha256').update([...callers].sort().join('/'))
  return `for-${hash.digest('hex').slice(0, 40)}-${access}`
}

/** The name of the user of principals for the driver, made as theirs is. */
export function ownerName(userId: string): string {
  return `user-${createHash('sha256').update(userId).digest('hex').slice(0, 40)}`
}
