import { namedObject } from '@agent-service/sdk'
import { created, defineRoute, type HttpRoute, invalidRequestError, notFoundError, ok } from '@agent-service/sdk/contracts/http-route'
import { userFileConflictError, userFileNotFoundError, userPathInvalidError } from '@agent-service/sdk/services/user-files'
import { callerOf } from './caller-of.js'
import { changing } from './change-routes.js'
import { type FileAccess, fileForbiddenError, folderNotMovableError } from './file-access.js'
import { filePathSchema } from './file-schemas.js'
import { listedFileSchema, toListed } from './list-route.js'

const tags = ['files']
const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')

/** Makes a folder of the caller. */
export function createFolderRoute({ access }: { readonly access: Pick<FileAccess, 'filePlace' | 'permit'> }): HttpRoute {
  return defineRoute({
    method: 'POST',
    path: '/api/files/folders',
    operationId: 'createFolder',
    summary: 'Make a folder',
    description: 'Folders above it that are missing are made too. 409 if something is there already.',
    tags,
    auth: 'user',
    body: { kind: 'json', schema: namedObject('CreateFolder', { path: filePathSchema }) },
    errors: [fileForbiddenError, userPathInvalidError, userFileConflictError, notFoundError, userFileNotFoundError],
    answers: { 201: { description: 'The folder.', schema: listedFileSchema } },
    async handle({ body, signal, ...request }) {
      const caller = callerOf(request)
      const place = access.filePlace(caller, body.path, 'body')
      const { path, folder } = await access.permit(caller, 'write_file', place, { signal })
      const made = await changing(place, async () => {
        if (await folder.stat(path)) throw userFileConflictError.create({ path: place.text, reason: 'exists already' })
        await folder.makeFolder(path)
        return folder.stat(path)
      })
      if (!made) throw notFoundError.create({ what: 'folder' })
      return created(toListed(folderOf(place.text), made))
    },
  })
}

/** Renames or moves a file or a folder of the caller. */
export function createMoveRoute({ access }: { readonly access: Pick<FileAccess, 'filePlace' | 'permitMove'> }): HttpRoute {
  return defineRoute({
    method: 'POST',
    path: '/api/files/move',
    operationId: 'moveFile',
    summary: 'Rename or move a file or a folder',
    description:
      'In one step, never over something else: 409 if the new path exists. Both paths are below the same first folder. Folders of the new path that are missing are made. The policies are asked about all that is in a folder, so one with more than 2,000 entries is 422 `folder_not_movable`.',
    tags,
    auth: 'user',
    body: { kind: 'json', schema: namedObject('MoveFile', { from: filePathSchema, to: filePathSchema }) },
    errors: [notFoundError, fileForbiddenError, folderNotMovableError, userPathInvalidError, userFileNotFoundError, userFileConflictError],
    answers: { 200: { description: 'The entry at its new path.', schema: listedFileSchema } },
    async handle({ body, signal, ...request }) {
      const caller = callerOf(request)
      const from = access.filePlace(caller, body.from, 'body', 'from')
      const to = access.filePlace(caller, body.to, 'body', 'to')
      const problem = problemOf(from.text, to.text)
      if (problem !== undefined) throw invalidRequestError.create({ where: 'body' }, { problems: [{ path: '/to', message: problem }] })
      const permitted = await access.permitMove(caller, from, to, { signal })
      const moved = await changing(to, () => permitted.folder.move(permitted.from, permitted.to ?? ''))
      return ok(toListed(folderOf(to.text), moved))
    },
  })
}

function problemOf(from: string, to: string): string | undefined {
  if (from.split('/')[0] !== to.split('/')[0]) return `must begin with “${from.split('/')[0]}/”, as the path that is moved`
  if (to === from) return 'must be another path'
  return to.startsWith(`${from}/`) ? 'must not be inside of what is moved' : undefined
}
