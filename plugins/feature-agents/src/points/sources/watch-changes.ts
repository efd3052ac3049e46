import type { Logger } from '@agent-service/sdk'
import { sleep, untilAborted } from '@agent-service/sdk/async'
import { type ToolSource, type ToolSourceChange, toolSources } from '@agent-service/sdk/contracts/tool-source'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'

/** Listens to the change notices of tool sources, as long as they are available. */
export interface ChangeWatch {
  /** Listens to a source from now on, if it reports changes. May be called again. */
  follow(sourceId: string): void
  /** Whether this source is being listened to now. */
  isWatched(sourceId: string): boolean
  close(): void
}

/** The delay before listening to a source again, in milliseconds. */
const retryDelayMs = 5_000

export function createChangeWatch(dependencies: {
  readonly contributions: Pick<Contributions, 'list' | 'onChange'>
  readonly clock: Clock
  readonly log: Logger
  readonly onChange: (sourceId: string, change: ToolSourceChange) => void
}): ChangeWatch {
  const { contributions, clock, log, onChange } = dependencies
  const followed = new Map<string, { readonly source: ToolSource; readonly controller: AbortController; listening: boolean }>()
  const find = (sourceId: string): ToolSource | undefined => contributions.list(toolSources).find(({ key }) => key === sourceId)?.value

  const stop = (sourceId: string): void => {
    followed.get(sourceId)?.controller.abort(new DOMException('The tool source was removed.', 'AbortError'))
    followed.delete(sourceId)
  }
  const stopListening = contributions.onChange(toolSources, () => {
    for (const [id, { source }] of followed) if (find(id) !== source) stop(id)
  })

  /** Holds no lease: a source that is stopping must not wait for its listeners. */
  const listen = async (sourceId: string, source: ToolSource): Promise<void> => {
    const entry = followed.get(sourceId)
    if (!entry || !source.changes) return
    const { signal } = entry.controller
    while (!signal.aborted) {
      try {
        entry.listening = true
        for await (const change of untilAborted(source.changes({ signal }), signal)) onChange(sourceId, change)
      } catch (error) {
        if (signal.aborted) return
        log.warn('A tool source stopped reporting changes; listening starts again.', { source: sourceId, in_ms: retryDelayMs, error })
      }
      entry.listening = false
      onChange(sourceId, {})
      await sleep(retryDelayMs, { signal, clock }).catch(() => signal.aborted)
    }
  }

  return {
    follow(sourceId) {
      const source = find(sourceId)
      if (!source?.changes || followed.has(sourceId)) return
      followed.set(sourceId, { source, controller: new AbortController(), listening: false })
      void listen(sourceId, source)
    },
    isWatched: (sourceId) => followed.get(sourceId)?.listening === true,
    close() {
      void stopListening()
      for (const id of [...followed.keys()]) stop(id)
    },
  }
}
