import { Type } from '@agent-service/sdk'
import {
  actorKinds,
  defineRoute,
  type HttpRoute,
  invalidRequestError,
  notFoundError,
  ok,
  pageCursorError,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Limit } from '@agent-service/sdk/services/quotas'
import type { UserFileEntry } from '@agent-service/sdk/services/user-files'
import { unauthenticatedError } from '../http/errors.js'
import type { FileAccess } from './file-access.js'
import { listedFileSchema } from './file-schemas.js'
import type { UserFiles } from './user-files.js'
import { isPlainName, isSubsystem, type RouteSubsystem, readSegments, userSubsystems } from './user-path.js'

const defaultLimit = 50

/** With the path by which the caller has asked, whatever link leads to the folder. */
const toListed = (folder: string, file: UserFileEntry) => ({
  name: file.name,
  path: `${folder}/${file.name}`,
  kind: file.kind,
  size: file.size,
  modified_at: new Date(file.modifiedAt).toISOString(),
  etag: file.etag ?? null,
})

/** The names in a folder of the caller. */
export function createFileListRoute(dependencies: {
  readonly files: UserFiles
  readonly access: Pick<FileAccess, 'permit'>
  readonly listings: Limit
}): HttpRoute {
  const { files, access, listings } = dependencies
  return defineRoute({
    method: 'GET',
    path: '/api/files',
    operationId: 'listFiles',
    summary: 'List a folder of the caller',
    description:
      'The names in a folder, in the order of their UTF-16 code units, folders among files. Only what has the kind `file` can be downloaded; `link` is a symbolic link, `other` anything else. Names that no path can hold are left out.',
    tags: ['files'],
    auth: 'user',
    actors: actorKinds,
    query: Type.Object({
      path: Type.String({ minLength: 1, maxLength: 1_000, description: 'A folder: `files`, `files/reports`, `workspaces/<agent>`.' }),
      ...pageQuerySchema.properties,
    }),
    answers: { 200: { description: 'A page of the folder.', schema: pageSchema(listedFileSchema) } },
    async handle({ principal, query, signal }) {
      if (!principal) throw unauthenticatedError.create({})
      const { subsystem, path } = folderPath(query.path)
      const after = query.cursor === undefined ? undefined : nameOfCursor(query.cursor)
      const place = { subsystem, segments: path === '' ? [] : path.split('/') }
      const real = await access.permit(principal, 'read_file', place, { followLast: true, signal })
      const hold = await listings.acquire(`user:${principal.userId}`, 1, { signal })
      const page = await files
        .folder(principal, { subsystem, links: 'refuse' })
        .list(real, { limit: query.limit ?? defaultLimit, signal, ...(after === undefined ? {} : { after }) })
        .finally(() => hold.release())
      if (!page) throw notFoundError.create({ what: 'folder' })
      return ok({
        items: page.items.map((item) => toListed(query.path, item)),
        next_cursor: page.next === undefined ? null : Buffer.from(page.next, 'utf8').toString('base64url'),
      })
    },
  })
}

function folderPath(text: string): { readonly subsystem: RouteSubsystem; readonly path: string } {
  const [subsystem, ...rest] = text.split('/')
  const path = rest.join('/')
  const read = rest.length === 0 ? { segments: [] } : readSegments(path)
  const problem = !isSubsystem(subsystem) ? `must begin with ${userSubsystems.join(' or ')}` : 'problem' in read ? read.problem : undefined
  if (problem !== undefined || !isSubsystem(subsystem))
    throw invalidRequestError.create({ where: 'query' }, { problems: [{ path: '/path', message: problem ?? '' }] })
  return { subsystem, path }
}

/** @throws `cursor_invalid` */
function nameOfCursor(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString('utf8')
  const isOurs = name !== '' && isPlainName(name) && Buffer.from(name, 'utf8').toString('base64url') === cursor
  if (!isOurs) throw pageCursorError.create({})
  return name
}
