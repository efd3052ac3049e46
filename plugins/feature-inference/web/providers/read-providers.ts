import { readAll } from '@agent-service/sdk/web'
import { type Configuration, lockOf, membersOf, pathOf, savedIn } from '@agent-service/sdk/web/configuration'
import { api } from '../api/index.js'
import type { Adapter, Brand, Connection, Credential } from './draft.js'

/** A connection: as it runs, as it is saved, or both. */
export interface Entry {
  readonly handle: string
  /** Absent until the next start. */
  readonly running: Connection | undefined
  /** Its entry in the file; absent for one of the environment, and for one that is deleted. */
  readonly saved: Readonly<Record<string, unknown>> | undefined
  /** Where it is configured. */
  readonly origin: 'environment' | 'file' | 'removed'
  /** The variable that sets it. */
  readonly lockedBy: string | undefined
  readonly brandName: string
  readonly credentialId: string | undefined
  readonly enabled: boolean
}

export interface Providers {
  readonly configuration: Configuration
  readonly entries: readonly Entry[]
  readonly credentials: readonly Credential[]
  readonly brands: readonly Brand[]
  readonly adapters: readonly Adapter[]
}

/** Everything that the screens about providers show. `known`: the configuration, if it has just been read. */
export async function readProviders(signal: AbortSignal, known?: Configuration): Promise<Providers> {
  const page = (cursor: string | undefined) => ({ query: { limit: 200, ...(cursor !== undefined && { cursor }) }, signal })
  const [configuration, connections, credentials, brands, adapters] = await Promise.all([
    known ?? api.get('/api/admin/config', { signal }),
    readAll((cursor) => api.get('/api/admin/connections', page(cursor))),
    readAll((cursor) => api.get('/api/admin/credentials', page(cursor))),
    readAll((cursor) => api.get('/api/catalogue/brands', page(cursor))),
    readAll((cursor) => api.get('/api/admin/connections/adapters', page(cursor))),
  ])
  return { configuration, credentials, brands, adapters, entries: entriesOf(configuration, connections, brands) }
}

export function entriesOf(configuration: Configuration, connections: readonly Connection[], brands: readonly Brand[]): readonly Entry[] {
  const saved = savedIn(configuration, 'providers')
  const handles = [...new Set([...connections.map(({ handle }) => handle), ...Object.keys(saved)])]
  return handles.map((handle): Entry => {
    const running = connections.find((connection) => connection.handle === handle)
    const entry = saved[handle]
    const lockedBy = lockOf(configuration, pathOf('providers', handle))
    const provider = String(entry?.['provider'] ?? running?.brand ?? handle)
    const isOfEnvironment = running?.discovered === true || lockedBy !== undefined
    const credentialId = entry?.['credential_id'] ?? (entry ? undefined : running?.credential_id)
    return {
      handle,
      running,
      saved: entry,
      lockedBy: lockedBy ?? (running?.discovered ? running.variable : undefined),
      origin: entry !== undefined && lockedBy === undefined ? 'file' : isOfEnvironment ? 'environment' : 'removed',
      brandName: brands.find(({ id }) => id === provider)?.name ?? running?.name ?? provider,
      credentialId: typeof credentialId === 'string' ? credentialId.toLowerCase() : undefined,
      enabled: entry === undefined ? running?.state !== 'disabled' : entry['enabled'] !== false,
    }
  })
}

/** The connections that can be called, now or after the next start. */
export const usableIn = ({ entries }: Providers): readonly Entry[] =>
  entries.filter(({ origin, enabled, running }) => origin !== 'removed' && enabled && (running === undefined || running.state === 'ready'))

/** The model groups that name a connection, running or saved. */
export function groupsOf({ handle, running }: Entry, configuration: Configuration): readonly string[] {
  const saved = Object.entries(savedIn(configuration, 'models')).filter(([, group]) => names(group, handle))
  // Of groups that the file does not have, those of the environment stay.
  const stillRunning = (running?.groups ?? []).filter(
    (name) =>
      savedIn(configuration, 'models')[name] === undefined &&
      (running?.discovered || lockOf(configuration, pathOf('models', name)) !== undefined),
  )
  return [...new Set([...saved.map(([name]) => name), ...stillRunning])]
}

function names(target: Readonly<Record<string, unknown>>, handle: string): boolean {
  const fallbacks = Array.isArray(target['fallbacks']) ? target['fallbacks'] : []
  return target['provider'] === handle || fallbacks.some((each) => names(membersOf(each), handle))
}
