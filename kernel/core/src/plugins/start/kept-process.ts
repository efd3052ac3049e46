import { guardProcess, processNotItsOwnError } from '@agent-service/sdk/host'
import { currentWork, runOutside } from '../../work/work-context.js'

type Listener = Parameters<NodeJS.EventEmitter['on']>[1]
type Kept = { readonly event: string; readonly listener: Listener }

/** {@link guardProcess} for the plugins of all hosts of this process. */
export const guardProcessOfPlugins = (): (() => void) => guardProcess(() => currentWork().plugin?.id)

/** The listeners of the service. */
const kept = new Set<Kept>()

/** Those of Node, which let the process receive signals. `removeAllListeners()` removes them, too. */
let hooks: readonly Kept[] = []

/**
 * Listens to an event of the process until the result is called. Where the code of a plugin takes
 * the listener away, as by `process.removeAllListeners()`, that throws, and the listener is back
 * when that code has run.
 */
export function keepListener(event: string, listener: Listener): () => void {
  const entry: Kept = { event, listener }
  if (kept.size === 0) {
    hooks = ['newListener', 'removeListener'].flatMap((name) => listenersOf(name).map((hook) => ({ event: name, listener: hook })))
    process.on('removeListener', onRemoved)
  }
  kept.add(entry)
  process.on(event, listener)
  return () => {
    kept.delete(entry)
    if (kept.size === 0) process.off('removeListener', onRemoved)
    process.off(event, listener)
  }
}

function onRemoved(event: string | symbol, listener: Listener): void {
  if (![...kept].some((entry) => entry.event === event && entry.listener === listener)) return
  // Outside: signals arrive in the context in which they were first listened to.
  runOutside(() => queueMicrotask(restore))
  const { plugin } = currentWork()
  if (plugin === undefined) return
  const deed = `removed a listener of the service from process (${String(event)})`
  throw processNotItsOwnError.create({ plugin: plugin.id, deed, cure: 'Remove listeners of your own alone: process.off(event, listener).' })
}

function restore(): void {
  for (const { event, listener } of [...hooks, { event: 'removeListener', listener: onRemoved }, ...kept])
    if (kept.size > 0 && !listenersOf(event).includes(listener)) process.on(event, listener)
}

const listenersOf = (event: string): Listener[] => process.rawListeners(event) as Listener[]
