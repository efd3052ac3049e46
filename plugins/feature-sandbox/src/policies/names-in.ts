import type { UserFolder } from '@agent-service/sdk/services/user-files'

/** A name below a folder. */
export interface NamedEntry {
  readonly path: string
  readonly isFolder: boolean
}

const pageSize = 500

/** The names in a folder in pages. Links are left out: what they lead to counts by its own path. */
export async function* namesIn(folder: Pick<UserFolder, 'list'>, path: string, signal: AbortSignal): AsyncGenerator<readonly NamedEntry[]> {
  let after: string | undefined
  do {
    const page = await folder.list(path, { limit: pageSize, signal, ...(after === undefined ? {} : { after }) })
    if (page === undefined) return
    yield page.items.filter(({ kind }) => kind !== 'link').map((item) => ({ path: item.path, isFolder: item.kind === 'folder' }))
    after = page.next
  } while (after !== undefined)
}
