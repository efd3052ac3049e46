import type { Disposer } from '../core/disposer.js'
import { defineError } from '../core/errors.js'
import { defineServiceReference } from '../core/service-reference.js'

/** A contribution to a slot that the configuration does not pick. */
export interface SlotStandby {
  /** The point's id: `memory.backend`. */
  readonly point: string
  /** The key of the contribution: `basic`. */
  readonly key: string
}

/**
 * Slots, for the plugin that owns the setting which picks for them.
 *
 * @example
 * const slots = context.use(slotsService)
 * const release = await slots.standby({ point: 'memory.backend', key: 'basic' })
 * try {
 *   context.log.info('Both back ends run.')
 * } finally {
 *   await release()
 * }
 */
export interface Slots {
  /**
   * Starts the plugin of another contribution beside the one that the configuration picks, so that
   * data can be copied from one to the other. Of what it contributes only that to this point becomes
   * visible, and its `user.data`. It runs until the result is called or the plugin that asked
   * stops; not over a restart. Does nothing for the contribution that is picked. Not in `setup`: it
   * waits for the start of all plugins.
   * @throws {@link slotStandbyRefusedError}
   */
  standby(standby: SlotStandby): Promise<Disposer>
}

/** Slots. Provided by the kernel. */
export const slotsService = defineServiceReference<Slots>()('kernel.slots')

/** A plugin cannot run beside the one that a setting picks. */
export const slotStandbyRefusedError = defineError<{ readonly point: string; readonly key: string; readonly reason: string }>({
  code: 'slot_standby_refused',
  status: 409,
  title: 'Contribution not available',
  message: ({ point, key, reason }) => `“${key}” for ${point} cannot be started: ${reason}.`,
})
