import type { Disposer, JsonObject, Logger } from '@agent-service/sdk'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { PluginEvents } from '@agent-service/sdk/services/events'

/** The event of every open stream after panels came or went. */
export const panelsChanged = 'console.panels_changed'

/** Plugins come and go in groups, such as at the start: one event tells of all that happened within this time. */
const quietMs = 250

const nothing: JsonObject = {}

/** Tells everyone with an open stream that panels came or went, until the result is called. */
export function announcePanels(dependencies: {
  readonly contributions: Pick<Contributions, 'onChange'>
  readonly events: Pick<PluginEvents, 'announce'>
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
}): Disposer {
  const { contributions, events, clock, log } = dependencies
  let cancel: Disposer | undefined
  const announce = (): void => {
    cancel = undefined
    events.announce({ name: panelsChanged, data: nothing }).catch((error: unknown) => {
      log.warn('The open pages of the console were not told that panels have changed.', { error })
    })
  }
  const stop = contributions.onChange(consolePanels, () => {
    cancel ??= clock.after(quietMs, announce)
  })
  return async () => {
    await stop()
    await cancel?.()
  }
}
