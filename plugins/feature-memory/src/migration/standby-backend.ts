import { memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import type { Slots } from '@agent-service/sdk/services/slots'

/** The back end beside the one in use, while memories are copied. */
export interface StandbyBackend {
  /** Starts it, if it does not run. @throws `slot_standby_refused`. */
  start(id: string): Promise<void>
  /** Stops what was started. */
  stop(): Promise<void>
}

export function createStandbyBackend(slots: Slots): StandbyBackend {
  let held: { readonly id: string; release(): void | Promise<void> } | undefined
  const stop = async (): Promise<void> => {
    const release = held?.release
    held = undefined
    await release?.()
  }
  return {
    async start(id) {
      if (held?.id === id) return
      await stop()
      held = { id, release: await slots.standby({ point: memoryBackends.id, key: id }) }
    },
    stop,
  }
}
