import { createHash } from 'node:crypto'
import type { SandboxPrincipal } from '@agent-service/sdk/services/sandbox'

/** The name of a principal for the driver: the same each time, and of no other one. */
export function principalName({ userId, kind, id }: Pick<SandboxPrincipal, 'userId' | 'kind' | 'id'>): string {
  const hash = createHash('sha256').update(`${userId}/${kind}/${id}`).digest('hex')
  return `${kind.replace('_', '-')}-${hash.slice(0, 40)}`
}

/**
 * The name of the loopback for work that is done for these agents: what may reach more, as the
 * principal may for its user alone, is on another one.
 */
export function loopbackName(callers: readonly string[]): string {
  return `for-${createHash('sha256')
    .update([...callers].sort().join('/'))
    .digest('hex')
    .slice(0, 40)}`
}

/** The name of the user of principals for the driver, made as theirs is. */
export function ownerName(userId: string): string {
  return `user-${createHash('sha256').update(userId).digest('hex').slice(0, 40)}`
}
