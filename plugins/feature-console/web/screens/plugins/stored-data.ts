import { api } from '../../api/client.js'
import type { Schemas } from '../../api/types.js'

export type StoredData = Schemas['PluginData']

/** What plugins that do not run have stored. */
export async function readStoredData(signal: AbortSignal): Promise<readonly StoredData[]> {
  const found: StoredData[] = []
  let cursor: string | undefined
  do {
    const page = await api.get('/api/admin/plugins/data', { query: { limit: 200, ...(cursor !== undefined && { cursor }) }, signal })
    found.push(...page.items)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return found
}

export const documentsIn = ({ collections }: StoredData): number => collections.reduce((sum, { documents }) => sum + documents, 0)

export const isOfUsers = ({ collections, folders }: StoredData): boolean =>
  folders.length > 0 || collections.some(({ of_users }) => of_users)
