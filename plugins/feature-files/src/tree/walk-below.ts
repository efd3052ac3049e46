import type { UserFileEntry, UserFolder } from '@agent-service/sdk/services/user-files'

const pageSize = 500

/**
 * All entries below a folder, each folder before what is in it, in the order of their names. Links
 * are not followed. `after` is the path of an entry below the folder, behind which to go on; it
 * need not exist any more. `skip`: entries that are passed over, with all that is in them.
 */
export async function* walkBelow(
  folder: UserFolder,
  root: string,
  options: { readonly after?: string; readonly skip?: (path: string) => boolean; readonly signal: AbortSignal },
): AsyncGenerator<UserFileEntry, void, undefined> {
  const { after = '', skip, signal } = options
  const levels: { readonly path: string; after: string | undefined; items: readonly UserFileEntry[]; index: number; isOver: boolean }[] = []
  const open = (path: string, from: string | undefined): void => {
    levels.push({ path, after: from, items: [], index: 0, isOver: false })
  }
  let path = root
  for (const name of after.split('/').filter((each) => each !== '')) {
    open(path, name)
    path = path === '' ? name : `${path}/${name}`
  }
  open(path, undefined)
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    signal.throwIfAborted()
    const item = level.items[level.index]
    level.index += 1
    if (item) {
      if (skip?.(item.path)) continue
      yield item
      if (item.kind === 'folder') open(item.path, undefined)
    } else if (level.isOver) levels.pop()
    else {
      const page = await folder.list(level.path, { limit: pageSize, signal, ...(level.after !== undefined && { after: level.after }) })
      Object.assign(level, { items: page?.items ?? [], index: 0, after: page?.next, isOver: page?.next === undefined })
    }
  }
}
