import { namedObject, Type } from '@agent-service/sdk'
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
import type { UserFileEntry } from '@agent-service/sdk/services/user-files'
import { userFileNotFoundError, userFolderTooLargeError, userPathInvalidError } from '@agent-service/sdk/services/user-files'
import { callerOf } from './caller-of.js'
import type { FileAccess } from './file-access.js'
import { binName, fileForbiddenError } from './file-access.js'
import { etagSchema } from './file-schemas.js'

const defaultLimit = 50

/** An entry of a folder. */
export const listedFileSchema = namedObject('ListedFile', {
  name: Type.String(),
  path: Type.String(),
  kind: Type.Union([Type.Literal('file'), Type.Literal('folder'), Type.Literal('link'), Type.Literal('other')]),
  size: Type.Integer({ description: 'In bytes; 0 for anything but a file.' }),
  modified_at: Type.String(),
  etag: Type.Union([etagSchema, Type.Null()]),
})

/** With the path that the caller used, even if a link leads to the folder. */
export const toListed = (folder: string, file: UserFileEntry) => ({
  name: file.name,
  path: `${folder}/${file.name}`,
  kind: file.kind,
  size: file.size,
  modified_at: new Date(file.modifiedAt).toISOString(),
  etag: file.etag ?? null,
})

/** The names in a folder of the caller. */
export function createListRoute(dependencies: {
  readonly access: Pick<FileAccess, 'folderPlace' | 'permit'>
  readonly listings: Limit
}): HttpRoute {
  const { access, listings } = dependencies
  return defineRoute({
    method: 'GET',
    path: '/api/files',
    operationId: 'listFiles',
    summary: 'List a folder of the caller',
    description:
      'The names in a folder, in the order of their UTF-16 code units, folders among files. Only entries of the kind `file` can be downloaded; `link` is a symbolic link, `other` anything else. Names that no path can contain are left out.',
    tags: ['files'],
    auth: 'user',
    actors: actorKinds,
    query: Type.Object({
      path: Type.String({ minLength: 1, maxLength: 1_000, description: 'A folder: `files`, `files/reports`, `workspaces/<agent>`.' }),
      ...pageQuerySchema.properties,
    }),
    errors: [notFoundError, fileForbiddenError, userPathInvalidError, userFileNotFoundError, userFolderTooLargeError],
    answers: { 200: { description: 'A page of the folder.', schema: pageSchema(listedFileSchema) } },
    async handle({ query, signal, ...request }) {
      const caller = callerOf(request)
      const place = access.folderPlace(caller, query.path)
      const after = query.cursor === undefined ? undefined : nameOfCursor(query.cursor)
      const { path, folder } = await access.permit(caller, 'read_file', place, { followLast: true, signal })
      const hold = await listings.acquire(`user:${caller.userId}`, 1, { signal })
      const page = await folder
        .list(path, { limit: query.limit ?? defaultLimit, signal, ...(after === undefined ? {} : { after }) })
        .finally(() => hold.release())
      if (!page) throw notFoundError.create({ what: 'folder' })
      return ok({
        items: page.items
          .filter(({ name }) => !(place.subsystem === 'files' && path === '' && name === binName))
          .map((item) => toListed(place.text, item)),
        next_cursor: page.next === undefined ? null : Buffer.from(page.next, 'utf8').toString('base64url'),
      })
    },
  })
}

/** Reads a cursor: the last name of a page, which a path can contain. @throws `cursor_invalid` */
function nameOfCursor(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString('utf8')
  const isOurs = name !== '' && !/[\p{Cc}\p{Cs}\\]/u.test(name) && Buffer.from(name, 'utf8').toString('base64url') === cursor
  if (!isOurs) throw pageCursorError.create({})
  return name
}
