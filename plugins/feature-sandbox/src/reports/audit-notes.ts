import type { JsonObject, Logger } from '@agent-service/sdk'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { SandboxPrincipal } from '@agent-service/sdk/services/sandbox'

/** How long the same refusal of a principal is not noted again. */
const repeatMs = 3_600_000
/** How many different refusals are noted in that time: of one principal, and of all. */
const maxOfPrincipal = 100
const maxNotes = 5_000

/** Notes for administrators. */
export interface AuditNotes {
  /** Policies, or what keeps them, refused something to a principal. */
  refused(kind: 'sandbox_process.refused' | 'sandbox_connection.refused', principal: SandboxPrincipal, details: JsonObject): void
  /** A person opened a terminal. */
  terminalOpened(principal: SandboxPrincipal): void
  /** The service runs without the confinement of files. */
  unconfined(): void
}

/**
 * A refusal is noted once an hour, so that no program fills the log by trying again.
 */
export function createAuditNotes(dependencies: {
  readonly audit: Pick<Audit, 'note'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
}): AuditNotes {
  const { audit, clock, log } = dependencies
  const noted = new Map<string, { readonly at: number; readonly owner: string }>()

  const note = (event: Parameters<Audit['note']>[0]): void => {
    audit.note(event).catch((error: unknown) => log.warn('An action of the sandbox could not be noted.', { kind: event.kind, error }))
  }
  const isNew = (owner: string, what: string): boolean => {
    const oldest = clock.now() - repeatMs
    for (const [key, { at }] of noted) {
      if (at > oldest) break
      noted.delete(key)
    }
    const key = `${owner} ${what}`
    if (noted.has(key) || noted.size >= maxNotes) return false
    if ([...noted.values()].filter((each) => each.owner === owner).length >= maxOfPrincipal) return false
    noted.set(key, { at: clock.now(), owner })
    return true
  }
  return {
    refused(kind, { userId, kind: actor, id }, details) {
      if (!isNew(`${userId}/${actor}/${id}`, `${kind} ${JSON.stringify(details)}`)) return
      note({ kind, actor: { userId }, subject: id, details: { actor, ...details } })
    },
    terminalOpened: ({ userId, kind, id }) =>
      note({ kind: 'sandbox_terminal.opened', actor: { userId }, subject: id, details: { actor: kind } }),
    unconfined: () => note({ kind: 'sandbox.unconfined' }),
  }
}
