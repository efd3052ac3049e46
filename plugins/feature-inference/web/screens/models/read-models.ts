import { agentName, readAll } from '@agent-service/sdk/web'
import { type Configuration, lockOf, pathOf, savedIn } from '@agent-service/sdk/web/configuration'
import { api, type Schemas } from '../../api/index.js'
import { type Providers, readProviders } from '../../providers/read-providers.js'
import { groupOf, type Target } from './group.js'

/** A model group: as it runs, as it is saved, or both. */
export interface ListedGroup {
  readonly name: string
  readonly targets: readonly Pick<Target, 'provider' | 'model'>[]
  readonly isRunning: boolean
  /** The file has something else than what runs. */
  readonly isChanged: boolean
  readonly origin: 'environment' | 'file' | 'removed'
  readonly lockedBy: string | undefined
  /** The names of the person's agents that use it. */
  readonly agents: readonly string[]
}

export interface Models {
  readonly found: Providers
  readonly groups: readonly ListedGroup[]
}

/** Everything that the screen about models shows. */
export async function readModels(signal: AbortSignal): Promise<Models> {
  const page = (cursor: string | undefined) => ({ query: { limit: 200, ...(cursor !== undefined && { cursor }) }, signal })
  const [found, running, agents] = await Promise.all([
    readProviders(signal),
    readAll((cursor) => api.get('/api/models', page(cursor))),
    readAll((cursor) => api.get('/api/agents', page(cursor))),
  ])
  return { found, groups: groupsIn(found.configuration, running, agents) }
}

function groupsIn(
  configuration: Configuration,
  running: readonly Schemas['ModelGroup'][],
  agents: readonly Schemas['Agent'][],
): readonly ListedGroup[] {
  const saved = savedIn(configuration, 'models')
  const names = [...new Set([...running.map(({ name }) => name), ...Object.keys(saved)])]
  return names.map((name): ListedGroup => {
    const group = running.find((each) => each.name === name)
    const entry = saved[name]
    const path = pathOf('models', name)
    const lockedBy = lockOf(configuration, path)
    // Where the file has no groups at all, the one that runs comes from a connection of the environment.
    const isImplicit = entry === undefined && configuration.sources[path] === undefined && !isConfigured(configuration, name)
    const written = entry && groupOf(name, entry)
    return {
      name,
      targets: written && lockedBy === undefined ? [written.own, ...written.fallbacks] : group ? chainOf(configuration, group) : [],
      isRunning: group !== undefined,
      isChanged:
        entry !== undefined && configuration.pending.some((each) => each === 'models' || each === path || each.startsWith(`${path}.`)),
      origin: lockedBy !== undefined || isImplicit ? 'environment' : entry === undefined ? 'removed' : 'file',
      lockedBy,
      agents: agents.filter((agent) => agent.model_group === name).map((agent) => agentName(agent.name)),
    }
  })
}

const effective = (configuration: Configuration, name: string): Readonly<Record<string, unknown>> | undefined => {
  const models = configuration.values['models'] as Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
  return models?.[name]
}

const isConfigured = (configuration: Configuration, name: string): boolean => effective(configuration, name) !== undefined

function chainOf(configuration: Configuration, group: Schemas['ModelGroup']): readonly Pick<Target, 'provider' | 'model'>[] {
  const entry = effective(configuration, group.name)
  if (entry === undefined) return [{ provider: group.provider, model: group.model }]
  const { own, fallbacks } = groupOf(group.name, entry)
  return [own, ...fallbacks]
}
