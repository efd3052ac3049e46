import type { Logger } from '@agent-service/sdk'
import type { SandboxHealth } from '@agent-service/sdk/contracts/sandbox-driver'
import type { ReadyDriver } from '../drivers/driver-slot.js'
import type { AuditNotes } from './audit-notes.js'

/** Logs what confines here and what does not, once for each start of a driver. */
export function reportDriver(
  { key, health }: ReadyDriver,
  { log, notes, disabled }: { readonly log: Logger; readonly notes: Pick<AuditNotes, 'unconfined'>; readonly disabled: boolean },
): void {
  const open = openFences(health)
  if (disabled) {
    log.warn(
      'sandbox.disabled is set: code of agents can read and change every file that its user can. Limits, network policy and tokens stay. Not for production.',
      { driver: key, mode: health.mode, ...open },
    )
    notes.unconfined()
  } else if (!health.confines) log.warn('No code of agents can run: nothing on this machine would confine it.', { driver: key, ...open })
  else if (Object.values(health.fences).some(({ state }) => state === 'open'))
    log.warn('The sandbox is ready, and does not close everything.', { driver: key, mode: health.mode, ...open })
  else log.info('The sandbox is ready.', { driver: key, mode: health.mode, ...open })
}

/** The reason of each way out that is not closed. */
function openFences({ fences }: SandboxHealth): Readonly<Record<string, string>> {
  const open = Object.entries(fences).filter(([, { state }]) => state !== 'closed')
  return Object.fromEntries(open.map(([name, { state, reason }]) => [name, `${state}: ${reason}`]))
}
