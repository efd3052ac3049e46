import { api } from '../../api/client.js'
import { lockOf, membersOf, savedIn } from '../../api/configuration.js'
import { readAll } from '../../api/read-all.js'
import type { Schemas } from '../../api/types.js'
import { type Entry, type Providers, readProviders } from '../../providers/read-providers.js'
import { type Backend, backendsOf } from '../admin-memory/backends.js'

export const stepNames = ['registration', 'memory', 'provider', 'models', 'agent'] as const
export type StepName = (typeof stepNames)[number]
export type StepState = 'open' | 'done' | 'skipped'

/** How far the installation is, from what is configured and from what the service keeps. */
export interface SetUp {
  readonly found: Providers
  readonly progress: Schemas['SetUpProgress']
  readonly groups: readonly Schemas['ModelGroup'][]
  readonly agents: readonly Schemas['Agent'][]
  readonly backends: readonly Backend[]
  /** Those that there are, in their order. */
  readonly steps: readonly { readonly name: StepName; readonly state: StepState }[]
}

export async function readSetUp(signal: AbortSignal): Promise<SetUp> {
  const page = (cursor: string | undefined) => ({ query: { limit: 200, ...(cursor !== undefined && { cursor }) }, signal })
  const [found, progress, groups, agents, plugins] = await Promise.all([
    readProviders(signal),
    api.get('/api/admin/set-up', { signal }),
    readAll((cursor) => api.get('/api/models', page(cursor))),
    readAll((cursor) => api.get('/api/agents', page(cursor))),
    readAll((cursor) => api.get('/api/admin/plugins', page(cursor))),
  ])
  const backends = backendsOf(found.configuration, plugins)
  const isDone: Readonly<Record<StepName, boolean>> = {
    registration: progress.registration === 'done' || isRegistrationDecided(found),
    memory: progress.memory === 'done' || isMemoryChosen(found),
    provider: connectionsOf(found).length > 0,
    models: groups.length > 0 || Object.keys(savedIn(found.configuration, 'models')).length > 0,
    agent: progress.agent === 'done',
  }
  const isAsked: Readonly<Record<string, boolean>> = {
    memory: backends.length > 1,
    registration: lockOf(found.configuration, 'auth.allow_registration') === undefined,
  }
  const names = stepNames.filter((name) => isAsked[name] ?? true)
  const steps = names.map((name) => ({
    name,
    state: isDone[name] ? ('done' as const) : progress[name] === 'skipped' ? ('skipped' as const) : ('open' as const),
  }))
  return { found, progress, groups, agents, backends, steps }
}

/** The file says who may make an account. */
const isRegistrationDecided = ({ configuration }: Providers): boolean => {
  const { allow_registration: allow, registration_approval: approval } = membersOf(configuration.saved['auth'])
  return allow !== undefined || approval !== undefined
}

/** The file or the environment names a back end, so there is nothing to choose. */
const isMemoryChosen = ({ configuration }: Providers): boolean =>
  membersOf(configuration.saved['memory'])['backend'] !== undefined || (configuration.sources['memory.backend'] ?? 'default') !== 'default'

/** The connections that can be called, now or after the next start. */
export const connectionsOf = ({ entries }: Providers): readonly Entry[] =>
  entries.filter(({ origin, enabled, running }) => origin !== 'removed' && enabled && (running === undefined || running.state === 'ready'))
