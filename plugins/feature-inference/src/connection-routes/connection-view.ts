import { namedObject, Type } from '@agent-service/sdk'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Secrets } from '@agent-service/sdk/services/secrets'
import type { TargetSettings } from '../configuration/models-section.js'
import type { Connection, Connections } from '../connections/connections.js'
import { credentialIdOf, problemWith } from '../credentials/credential-keeper.js'
import type { ManagedCredentials } from '../credentials/managed-credentials.js'
import { acquireAdapter } from '../targets/acquire-adapter.js'
import type { GroupRegistry } from '../targets/group-registry.js'

const literals = <const Names extends readonly string[]>(...names: Names) => names.map((name) => Type.Literal(name))

/** A connection in responses. Its key is never returned. */
export const connectionSchema = namedObject('ProviderConnection', {
  handle: Type.String({ description: 'As in `provider` of a model group.' }),
  brand: Type.String(),
  name: Type.String({ description: 'The name of the brand, for people.' }),
  adapter: Type.Union([Type.String(), Type.Null()]),
  base_url: Type.Union([Type.String(), Type.Null()], { description: 'The address that is called.' }),
  discovered: Type.Boolean({ description: 'Found by a standard variable of the environment, not configured.' }),
  key: Type.Union(literals('saved', 'variable', 'configured', 'none'), {
    description: 'Where its key is: a managed credential, a variable of the environment, the configuration, or nowhere.',
  }),
  variable: Type.Optional(Type.String({ description: 'The variable that holds its key.' })),
  credential_id: Type.Optional(Type.String()),
  state: Type.Union(literals('ready', 'disabled', 'key_missing', 'unusable'), {
    description: 'Whether it can be called, as far as that is known without a call.',
  }),
  reason: Type.Optional(Type.String({ description: 'Why it cannot be called, and what to do.' })),
  groups: Type.Array(Type.String(), { description: 'The model groups that call it, also as a fallback.' }),
})

type View = Readonly<{
  state: 'ready' | 'disabled' | 'key_missing' | 'unusable'
  reason?: string
}>

/** What views of connections are made from. */
export interface ViewDependencies {
  readonly connections: Connections
  readonly groups: GroupRegistry
  readonly contributions: Contributions
  readonly secrets: Pick<Secrets, 'resolve'>
  readonly managed: Pick<ManagedCredentials, 'find'>
}

/** The view of a connection of the running configuration. */
export async function viewOf(connection: Connection, dependencies: ViewDependencies) {
  const { handle, brandName, brand, adapter, settings, discovered } = connection
  const variable = /^\$\{(\w+)\}$/.exec(settings.api_key ?? '')?.[1]
  const { state, reason } = await stateOf(connection, dependencies)
  return {
    handle,
    brand: brandName,
    name: brand?.name ?? brandName,
    adapter: adapter ?? null,
    base_url: settings.base_url ?? brand?.base_url ?? null,
    discovered,
    key: keyOf(connection, variable),
    ...(variable !== undefined && { variable }),
    ...(settings.credential_id !== undefined && { credential_id: settings.credential_id.toLowerCase() }),
    state,
    ...(reason !== undefined && { reason }),
    groups: groupsUsing(connection, dependencies),
  }
}

function keyOf({ settings }: Connection, variable: string | undefined): 'saved' | 'variable' | 'configured' | 'none' {
  if (settings.credential_id !== undefined) return 'saved'
  if (settings.api_key === undefined) return 'none'
  return variable === undefined ? 'configured' : 'variable'
}

/** The names of the groups with a model of the connection. */
function groupsUsing({ handle }: Connection, { groups, connections }: ViewDependencies): string[] {
  const names = groups.list().map(({ name }) => name)
  return names.filter((name) =>
    targetsIn(groups.find(name)?.settings).some(({ provider }) => connections.find(provider)?.handle === handle),
  )
}

const targetsIn = (settings: TargetSettings | undefined): readonly TargetSettings[] =>
  settings ? [settings, ...(settings.fallbacks ?? []).flatMap(targetsIn)] : []

async function stateOf(connection: Connection, { contributions, secrets, managed }: ViewDependencies): Promise<View> {
  const { settings, brand, adapter, refused } = connection
  if (!settings.enabled) return { state: 'disabled' }
  if (refused !== undefined) return { state: 'unusable', reason: `Its brand cannot be used: ${refused}.` }
  const lease = acquireAdapter(connection, contributions)
  if (!lease) return { state: 'unusable', reason: `No active plugin contributes the adapter “${adapter ?? ''}”.` }
  lease.release()
  if (settings.credential_id !== undefined) {
    const id = credentialIdOf(connection)
    const problem = problemWith(connection, id, await managed.find(id))
    return problem === undefined
      ? { state: 'ready' }
      : { state: 'unusable', reason: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}` }
  }
  const needsKey = brand?.authentication.every((way) => way === 'api_key') === true
  if (settings.api_key === undefined) return needsKey ? { state: 'key_missing', reason: 'It has no key.' } : { state: 'ready' }
  const resolved = secrets.resolve(settings.api_key)
  if ('missing' in resolved) return { state: 'key_missing', reason: `The variable ${resolved.missing} is not set.` }
  return resolved.value.trim() === '' ? { state: 'key_missing', reason: 'Its key is empty.' } : { state: 'ready' }
}
