import { isProblem } from '@agent-service/sdk/web'
import { api, type Schemas } from '../../api/index.js'

export type Listed = Schemas['ListedFile']

const maxFolders = 500

/** Whether a folder is there for people before anything is in it: the first folders, and the workspace of an agent. */
export const isUnmade = (path: string): boolean => path === 'files' || /^workspaces(\/[^/]+)?$/.test(path)

/** The folders in a folder; none where it does not exist yet. */
export async function readFolders(path: string, signal: AbortSignal): Promise<readonly Listed[]> {
  const found: Listed[] = []
  let cursor: string | null | undefined
  do {
    try {
      const page = await api.get('/api/files', { query: { path, limit: 200, ...(cursor && { cursor }) }, signal })
      found.push(...page.items.filter(({ kind }) => kind === 'folder'))
      cursor = page.next_cursor
    } catch (error) {
      if (isUnmade(path) && isProblem(error, 'not_found')) return []
      throw error
    }
  } while (cursor !== null && found.length < maxFolders)
  return found
}
