import { pageQuery, readAll } from '@agent-service/sdk/web'
import { api, type Schemas } from '../../api/index.js'

export type StoredData = Schemas['PluginData']

/** What plugins that do not run have stored. */
export const readStoredData = (signal: AbortSignal): Promise<readonly StoredData[]> =>
  readAll((cursor) => api.get('/api/admin/plugins/data', { query: pageQuery(cursor), signal }))

/** Whether no plugin that was found has stored it; of an `unknown` one it is not sure that it is gone. */
export const isOfAbsentPlugin = ({ state }: StoredData): boolean => state === 'gone' || state === 'unknown'

/** What the running version of a plugin left behind alone; undefined if that is nothing. */
export function leftBehind(data: StoredData): StoredData | undefined {
  const collections = data.collections.filter(({ left_behind }) => left_behind)
  return collections.length === 0 ? undefined : { ...data, collections, folders: [] }
}

export const documentsIn = ({ collections }: StoredData): number => collections.reduce((sum, { documents }) => sum + documents, 0)

export const isOfUsers = ({ collections, folders }: StoredData): boolean =>
  folders.length > 0 || collections.some(({ of_users }) => of_users)
