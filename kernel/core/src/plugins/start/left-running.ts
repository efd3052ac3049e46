import { createHook } from 'node:async_hooks'
import { currentWork } from '../../work/work-context.js'

/** What a plugin left running: each keeps the process alive. */
export interface LeftRunning {
  readonly pluginId: string
  /** In words, such as `2 timers, 1 server (:8080)`. */
  readonly what: string
}

/** Follows what the plugins of one host open. */
export interface OpenedHandles {
  /** From now on. Costs something for each timer, socket and the like of the whole process. */
  follow(plugin: { readonly id: string }): void
  /**
   * Remembers what a plugin has opened that keeps the process alive; the result says what of that
   * does so then. Undefined if there is nothing. Ends nothing.
   */
  openedBy(plugin: { readonly id: string }): (() => string | undefined) | undefined
  /** What is still open and keeps the process alive, by plugin. Ends the following. */
  take(): readonly LeftRunning[]
}

/** What Node tells of a resource. All of it is missing in some release for some resource. */
interface Resource {
  /** Whether it keeps the process alive. A timer that is over still says so. */
  hasRef?(): boolean | undefined
  /** Of a timer: it has fired for the last time, or was cleared. */
  readonly _destroyed?: boolean
  readonly pid?: number
  getsockname?(place: { port?: number }): unknown
}

interface Opened {
  readonly type: string
  readonly resource: WeakRef<Resource>
}

/** The names of what keeps a process alive, by Node's types, in the order in which they are told. */
const nouns = new Map<string, readonly [one: string, many: string]>([
  ['Timeout', ['timer', 'timers']],
  ['TCPSERVERWRAP', ['server', 'servers']],
  ['PIPESERVERWRAP', ['local server', 'local servers']],
  ['TCPWRAP', ['socket', 'sockets']],
  ['UDPWRAP', ['UDP socket', 'UDP sockets']],
  ['PROCESSWRAP', ['child process', 'child processes']],
  ['PIPEWRAP', ['pipe', 'pipes']],
  ['WORKER', ['worker', 'workers']],
  ['MESSAGEPORT', ['message port', 'message ports']],
  ['FSEVENTWRAP', ['watched path', 'watched paths']],
  ['STATWATCHER', ['watched file', 'watched files']],
])

/** Beyond so many, those that are over are forgotten. */
const minToPrune = 256

/** The followed plugins of all hosts. Weak references: following must not keep anything alive. */
const followed = new Map<object, { opened: Opened[]; maxOpened: number }>()

/** Promises would each be told too, which costs most; releases without the option tell them anyway. */
const withoutPromises = { trackPromises: false }

const hook = createHook({ ...withoutPromises, init: noteOpened })

function noteOpened(_asyncId: number, type: string, _triggerAsyncId: number, resource: object): void {
  if (!nouns.has(type)) return
  const { plugin } = currentWork()
  const own = plugin && followed.get(plugin)
  if (own === undefined) return
  own.opened.push({ type, resource: new WeakRef<Resource>(resource) })
  if (own.opened.length < own.maxOpened) return
  own.opened = own.opened.filter(keepsAlive)
  own.maxOpened = Math.max(minToPrune, own.opened.length * 2)
}

/** Follows nothing until it is told to. */
export function followOpenedHandles(): OpenedHandles {
  const plugins = new Set<{ readonly id: string }>()
  return {
    follow(plugin) {
      plugins.add(plugin)
      if (!followed.has(plugin)) followed.set(plugin, { opened: [], maxOpened: minToPrune })
      hook.enable()
    },
    openedBy(plugin) {
      const opened = followed.get(plugin)?.opened.filter(keepsAlive) ?? []
      if (opened.length === 0) return undefined
      return () => {
        const open = opened.filter(keepsAlive)
        return open.length === 0 ? undefined : describe(open)
      }
    },
    take() {
      const left = [...plugins].flatMap((plugin): readonly LeftRunning[] => {
        const open = followed.get(plugin)?.opened.filter(keepsAlive) ?? []
        followed.delete(plugin)
        return open.length === 0 ? [] : [{ pluginId: plugin.id, what: describe(open) }]
      })
      plugins.clear()
      if (followed.size === 0) hook.disable()
      return left
    },
  }
}

/** Whether it is open and keeps the process alive. */
function keepsAlive({ type, resource }: Opened): boolean {
  const found = resource.deref()
  return found?.hasRef?.() === true && (type !== 'Timeout' || found._destroyed === false)
}

/** The pipes of a child process and the ports of a worker are parts of them. */
const partsOf: ReadonlyMap<string, string> = new Map([
  ['PIPEWRAP', 'PROCESSWRAP'],
  ['MESSAGEPORT', 'WORKER'],
])

function describe(open: readonly Opened[]): string {
  const types = new Set(open.map(({ type }) => type))
  return [...nouns]
    .filter(([type]) => types.has(type) && !types.has(partsOf.get(type) ?? ''))
    .map(([type, [one, many]]) => {
      const these = open.filter((each) => each.type === type)
      const details = these.flatMap(({ resource }) => detailOf(type, resource.deref()) ?? [])
      return `${these.length} ${these.length === 1 ? one : many}${details.length === 0 ? '' : ` (${details.join(', ')})`}`
    })
    .join(', ')
}

/** The port of a server, the id of a process. */
function detailOf(type: string, resource: Resource | undefined): string | undefined {
  if (type === 'PROCESSWRAP' && resource?.pid !== undefined) return `pid ${resource.pid}`
  if (type !== 'TCPSERVERWRAP') return undefined
  const place: { port?: number } = {}
  resource?.getsockname?.(place)
  return place.port === undefined ? undefined : `:${place.port}`
}
