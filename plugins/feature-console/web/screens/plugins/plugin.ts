import { type MarkName, pageQuery, readAll } from '@agent-service/sdk/web'
import { api, type Schemas } from '../../api/index.js'

export type Plugin = Schemas['Plugin']

/** All plugins: there are tens of them, and the effects of a switch are worked out from all. */
export const readPlugins = (signal: AbortSignal): Promise<readonly Plugin[]> =>
  readAll((cursor) => api.get('/api/admin/plugins', { query: pageQuery(cursor), signal }))

const marks: Partial<Record<Plugin['state'], MarkName>> = {
  active: 'done',
  ready: 'next',
  failed: 'fail',
  invalid: 'fail',
  blocked: 'warn',
  retrying: 'run',
  starting: 'run',
  stopping: 'run',
  stopped: 'pause',
  discovered: 'next',
}

/** Whether what it offers can be used: it runs, or starts when it is used. */
export const isUp = ({ state }: Plugin): boolean => state === 'active' || state === 'ready'

/** A running plugin with a reason has faults. */
export const markOf = ({ state, reason }: Plugin): MarkName => (state === 'active' && reason !== null ? 'warn' : (marks[state] ?? 'off'))

export const needsAttention = (plugin: Plugin): boolean => ['fail', 'warn'].includes(markOf(plugin)) || plugin.state === 'retrying'

export const isMoving = ({ state }: Plugin): boolean => ['starting', 'stopping', 'retrying', 'discovered'].includes(state)

/** Whether it is announced: its settings are known, and there is nothing yet that could run. */
export const isPlanned = ({ state }: Plugin): boolean => state === 'declared'

/** Whether it is switched on. One that is only declared or invalid has no switch. */
export const isOn = ({ state }: Plugin): boolean => !['disabled', 'declared', 'invalid'].includes(state)

export const hasSwitch = ({ state, locked }: Plugin): boolean => !['declared', 'invalid'].includes(state) && locked.length === 0

/** What follows from disabling a plugin. */
export interface Effects {
  /** They need a service of it, directly or through others, and stay off with it. */
  readonly stop: readonly string[]
  /** They use a service of it if it is there, and start again without it. */
  readonly restart: readonly string[]
}

export function effectsOf(plugin: Plugin, all: readonly Plugin[]): Effects {
  const running = all.filter((other) => isUp(other) && other.id !== plugin.id)
  const stopping = new Set([plugin])
  const needs = (services: readonly string[]): boolean =>
    [...stopping].some(({ provides }) => provides.some((service) => services.includes(service)))
  for (let size = 0; size !== stopping.size; ) {
    size = stopping.size
    for (const other of running) if (needs(other.requires)) stopping.add(other)
  }
  const restart = running.filter((other) => !stopping.has(other) && needs(other.optional))
  const ids = (plugins: readonly Plugin[]): readonly string[] => plugins.map(({ id }) => id)
  return { stop: ids([...stopping].filter((other) => other !== plugin)), restart: ids(restart) }
}

/** The plugins that provide services, by service: `kernel` if no plugin does. */
export const providerOf = (service: string, all: readonly Plugin[]): string | undefined =>
  all.find(({ provides }) => provides.includes(service))?.id
