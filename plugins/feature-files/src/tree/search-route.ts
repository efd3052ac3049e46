import { Type } from '@agent-service/sdk'
import {
  actorKinds,
  defineRoute,
  type HttpRoute,
  notFoundError,
  ok,
  pageCursorError,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Limit } from '@agent-service/sdk/services/quotas'
import { userFileNotFoundError, userFolderTooLargeError, userPathInvalidError } from '@agent-service/sdk/services/user-files'
import { callerOf } from '../caller-of.js'
import { binName, type FileAccess, fileForbiddenError } from '../file-access.js'
import { listedFileSchema, toListed } from '../list-route.js'
import { walkBelow } from './walk-below.js'

const defaultLimit = 50
/** How many entries a request looks at; the next page goes on behind them. */
const maxLookedAt = 20_000
const maxMs = 2_000

/** Searches the names of the caller's files. */
export function createSearchRoute(dependencies: {
  readonly access: Pick<FileAccess, 'folderPlace' | 'permit'>
  readonly listings: Limit
}): HttpRoute {
  const { access, listings } = dependencies
  return defineRoute({
    method: 'GET',
    path: '/api/files/search',
    operationId: 'searchFiles',
    summary: 'Search the names of the caller’s files',
    description:
      'Files and folders below a folder whose name contains the text, in any case; those that the policies withhold are left out. A request looks at a bounded number of names: a page may have fewer items than asked for, even none, and still a `next_cursor`.',
    tags: ['files'],
    auth: 'user',
    actors: actorKinds,
    rateClass: 'expensive',
    query: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 200, description: 'A part of the name.', examples: ['report'] }),
      path: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: 'The folder to search. Default: `files`.' })),
      ...pageQuerySchema.properties,
      cursor: Type.Optional(Type.String({ maxLength: 8_000 })),
    }),
    errors: [notFoundError, fileForbiddenError, userPathInvalidError, userFileNotFoundError, userFolderTooLargeError],
    answers: { 200: { description: 'A page of what was found.', schema: pageSchema(listedFileSchema) } },
    async handle({ query, signal, ...request }) {
      const caller = callerOf(request)
      const place = access.folderPlace(caller, query.path ?? 'files')
      const after = query.cursor === undefined ? undefined : pathOfCursor(query.cursor)
      const { path: root, folder } = await access.permit(caller, 'read_file', place, { followLast: true, signal })
      if (root !== '' && (await folder.stat(root))?.kind !== 'folder') throw notFoundError.create({ what: 'folder' })
      const wanted = folded(query.name)
      const skip = (path: string): boolean => place.subsystem === 'files' && path === binName
      const items: ReturnType<typeof toListed>[] = []
      const until = performance.now() + maxMs
      let lookedAt = 0
      let last: string | undefined
      const hold = await listings.acquire(`user:${caller.userId}`, 1, { signal })
      try {
        for await (const entry of walkBelow(folder, root, { skip, signal, ...(after !== undefined && { after }) })) {
          const inside = root === '' ? entry.path : entry.path.slice(root.length + 1)
          if (folded(entry.name).includes(wanted)) {
            const text = `${place.text}/${inside}`
            const isSeen = await mayRead(() => access.permit(caller, 'read_file', { ...place, path: entry.path, text }, { signal }))
            if (isSeen) items.push(toListed(text.slice(0, text.lastIndexOf('/')), entry))
          }
          lookedAt += 1
          last = inside
          if (items.length >= (query.limit ?? defaultLimit) || lookedAt >= maxLookedAt || performance.now() >= until) break
          last = undefined
        }
      } finally {
        hold.release()
      }
      return ok({ items, next_cursor: last === undefined ? null : Buffer.from(last, 'utf8').toString('base64url') })
    },
  })
}

/** Names that differ by case or by Unicode form alone are the same; “STRASSE” is “Straße”. */
const folded = (text: string): string => text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')

async function mayRead(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask()
    return true
  } catch (error) {
    if (fileForbiddenError.isInstance(error)) return false
    throw error
  }
}

/** Reads a cursor: the path of the last entry that was looked at. @throws `cursor_invalid` */
function pathOfCursor(cursor: string): string {
  const path = Buffer.from(cursor, 'base64url').toString('utf8')
  const isOurs =
    Buffer.from(path, 'utf8').toString('base64url') === cursor &&
    path.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && !/[\p{Cc}\p{Cs}\\]/u.test(name))
  if (!isOurs || path.length > 2_000) throw pageCursorError.create({})
  return path
}
