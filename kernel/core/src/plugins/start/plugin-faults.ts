import type { Disposer } from '@agent-service/sdk'
import { currentWork, runOutside, runWithin } from '../../work/work-context.js'

/**
 * An error of a plugin that no caller can handle: it was not caught, or the host went on without
 * the failed part.
 */
export interface PluginFault {
  readonly pluginId: string
  readonly kind: EscapedError | 'broken contribution'
  readonly error: unknown
  /** The member of a contribution that failed, if it was one. */
  readonly place?: string
}

export type EscapedError = 'unhandled rejection' | 'uncaught exception'

export type PluginFaults = ReturnType<typeof createPluginFaults>

/** Tracks which plugin's work is running, through every callback and promise that it starts. */
export function createPluginFaults() {
  const plugins = new Map<string, { readonly id: string }>()
  const current = (): string | undefined => {
    const { plugin } = currentWork()
    return plugin !== undefined && plugins.get(plugin.id) === plugin ? plugin.id : undefined
  }
  return {
    /** Runs a plugin's code. Everything that it starts, timers included, is attributed to its id. */
    run<Result>(pluginId: string, work: () => Result): Result {
      const plugin = plugins.get(pluginId) ?? { id: pluginId }
      plugins.set(pluginId, plugin)
      return currentWork().plugin === plugin ? work() : runWithin({ plugin }, work)
    },
    current,
    /**
     * Listens for uncaught errors. An error of a plugin goes to `onFault` and the process goes on;
     * any other goes to `onUnowned`, which decides. The result ends the listening.
     */
    watch({
      onFault,
      onUnowned,
    }: {
      readonly onFault: (fault: PluginFault) => void
      readonly onUnowned: (error: unknown, kind: EscapedError) => void
    }): Disposer {
      const report = (error: unknown, kind: EscapedError): void => {
        const pluginId = current()
        if (pluginId === undefined) onUnowned(error, kind)
        else runOutside(() => onFault({ pluginId, kind, error }))
      }
      const onRejection = (error: unknown): void => report(error, 'unhandled rejection')
      const onException = (error: unknown): void => report(error, 'uncaught exception')
      process.on('unhandledRejection', onRejection)
      process.on('uncaughtException', onException)
      return () => {
        process.off('unhandledRejection', onRejection)
        process.off('uncaughtException', onException)
      }
    },
  }
}
