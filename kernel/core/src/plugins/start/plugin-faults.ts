import type { Disposer, Logger } from '@agent-service/sdk'
import { currentWork, runOutside, runWithin } from '../../work/work-context.js'
import { keepListener } from './kept-process.js'
import { followOpenedHandles, type LeftRunning } from './left-running.js'
import { noteRunning } from './running-plugin.js'

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

type Plugin = { readonly id: string }

/** What listens for the uncaught errors of the process. */
interface FaultListeners {
  /** An error of what a plugin of a stopped host left running. */
  readonly onLeft: (fault: PluginFault) => void
  readonly onUnowned: (error: unknown, kind: EscapedError) => void
}

/** The plugins of hosts that watch no longer: what they left running may still throw. */
const leftBehind = new WeakSet<Plugin>()

/** How many hosts watch now. */
let watching = 0

/** Tracks which plugin's work is running, through every callback and promise that it starts. */
export function createPluginFaults() {
  const plugins = new Map<string, Plugin>()
  const handles = followOpenedHandles()
  const pluginOf = (pluginId: string): Plugin => {
    const plugin = plugins.get(pluginId) ?? { id: pluginId }
    plugins.set(pluginId, plugin)
    return plugin
  }
  const current = (): string | undefined => {
    const { plugin } = currentWork()
    return plugin !== undefined && plugins.get(plugin.id) === plugin ? plugin.id : undefined
  }
  return {
    /** Runs a plugin's code. Everything that it starts, timers included, is attributed to its id. */
    run<Result>(pluginId: string, work: () => Result): Result {
      const plugin = pluginOf(pluginId)
      if (currentWork().plugin === plugin) return work()
      try {
        return runWithin({ plugin }, () => {
          noteRunning()
          return work()
        })
      } finally {
        noteRunning()
      }
    },
    current,
    /** From now on {@link takeLeftRunning} knows what the plugin opened. */
    followHandles: (pluginId: string): void => handles.follow(pluginOf(pluginId)),
    /**
     * Says when it is called what of the things that a followed plugin has open now is still open.
     * Undefined if there is nothing.
     */
    openedBy: (pluginId: string): (() => string | undefined) | undefined => handles.openedBy(pluginOf(pluginId)),
    /** What the followed plugins opened and left running, once. Ends the following. */
    takeLeftRunning: (): readonly LeftRunning[] => handles.take(),
    /**
     * Listens for uncaught errors. An error of a plugin goes to `onFault` and the process goes on;
     * one of what a plugin of a stopped host left running goes to `onLeft`; any other goes to
     * `onUnowned`, which decides. The result ends the listening: the plugins have stopped.
     */
    watch({ onFault, ...others }: FaultListeners & { readonly onFault: (fault: PluginFault) => void }): Disposer {
      watching += 1
      const stopListening = listen((error, kind) => {
        const pluginId = current()
        if (pluginId === undefined) takeOfOthers(others, error, kind)
        else runOutside(() => onFault({ pluginId, kind, error }))
      })
      return () => {
        watching -= 1
        for (const plugin of plugins.values()) leftBehind.add(plugin)
        stopListening()
      }
    },
  }
}

/** Listens for uncaught errors while no host watches: between two hosts, and after the last one. */
export const watchWithoutHost = (listeners: FaultListeners): Disposer =>
  listen((error, kind) => {
    if (watching === 0) takeOfOthers(listeners, error, kind)
  })

/** Reports an error of what a plugin left running when it stopped. */
export const logLateFault = (log: Logger, { pluginId, kind, error }: PluginFault): void =>
  log.error('An error escaped from what the plugin left running', { plugin: pluginId, kind, error })

function takeOfOthers({ onLeft, onUnowned }: FaultListeners, error: unknown, kind: EscapedError): void {
  const { plugin } = currentWork()
  if (plugin === undefined || !leftBehind.has(plugin)) onUnowned(error, kind)
  else runOutside(() => onLeft({ pluginId: plugin.id, kind, error }))
}

function listen(take: (error: unknown, kind: EscapedError) => void): () => void {
  const onRejection = (error: unknown): void => take(error, 'unhandled rejection')
  const onException = (error: unknown): void => take(error, 'uncaught exception')
  const offs = [keepListener('unhandledRejection', onRejection), keepListener('uncaughtException', onException)]
  return () => {
    for (const off of offs) off()
  }
}
