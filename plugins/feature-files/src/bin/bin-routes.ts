import { namedObject, Type } from '@agent-service/sdk'
import {
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  pageCursorError,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import { userFileConflictError, userFileNotFoundError, userPathInvalidError } from '@agent-service/sdk/services/user-files'
import { callerOf } from '../caller-of.js'
import { changing } from '../change-routes.js'
import { type FileAccess, fileForbiddenError, folderNotMovableError } from '../file-access.js'
import { filePathSchema } from '../file-schemas.js'
import { listedFileSchema, toListed } from '../list-route.js'
import { type BinnedFile, deleteFromBin, emptyBin, isBinId, listBin, putIntoBin, readBinned, restoreFromBin } from './file-bin.js'

const binned = namedObject('BinnedFile', {
  id: Type.String({ examples: ['8236140000000-0a1b2c3d4e5f'] }),
  path: Type.String({ description: 'Where it was.', examples: ['files/report.pdf'] }),
  kind: Type.Union([Type.Literal('file'), Type.Literal('folder'), Type.Literal('link'), Type.Literal('other')]),
  size: Type.Integer({ description: 'In bytes; 0 for anything but a file.' }),
  deleted_at: Type.String(),
})
const toJson = ({ id, path, kind, size, deletedAt }: BinnedFile) => ({
  ...{ id, path, kind, size },
  deleted_at: new Date(deletedAt).toISOString(),
})

const params = Type.Object({ entry_id: Type.String({ maxLength: 64, examples: ['8236140000000-0a1b2c3d4e5f'] }) })
const tags = ['files']

interface BinDependencies {
  readonly access: Pick<FileAccess, 'filePlace' | 'permit' | 'permitMove' | 'ownFiles'>
  readonly clock: Pick<Clock, 'now'>
}

/** The bin of the caller: what was deleted and can be brought back. It counts as stored. */
export const createBinRoutes = (dependencies: BinDependencies): readonly HttpRoute[] => [
  listRoute(dependencies),
  putRoute(dependencies),
  restoreRoute(dependencies),
  deleteRoute(dependencies),
  emptyRoute(dependencies),
]

const listRoute = ({ access }: BinDependencies): HttpRoute =>
  defineRoute({
    method: 'GET',
    path: '/api/files/bin',
    operationId: 'listBin',
    summary: 'List what is in the bin',
    description: 'The latest first. What is in the bin counts as stored, and stays until it is deleted for good.',
    tags,
    auth: 'user',
    query: pageQuerySchema,
    answers: { 200: { description: 'A page of the bin.', schema: pageSchema(binned) } },
    async handle({ query, signal, ...request }) {
      const { limit = 50, cursor } = query
      if (cursor !== undefined && !isBinId(cursor)) throw pageCursorError.create({})
      const folder = access.ownFiles(callerOf(request))
      const page = await listBin(folder, { limit, signal, ...(cursor !== undefined && { after: cursor }) })
      return ok({ items: page.items.map(toJson), next_cursor: page.next ?? null })
    },
  })

const putRoute = ({ access, clock }: BinDependencies): HttpRoute =>
  defineRoute({
    method: 'POST',
    path: '/api/files/bin',
    operationId: 'binFile',
    summary: 'Move a file or a folder into the bin',
    description:
      'Something below `files`; a folder goes with all that is in it. The policies are asked about all of it, so one with more than 2,000 entries is 422 `folder_not_movable`.',
    tags,
    auth: 'user',
    body: {
      kind: 'json',
      schema: namedObject('BinFile', { path: Type.String({ ...filePathSchema, pattern: '^files/.', examples: ['files/report.pdf'] }) }),
    },
    errors: [notFoundError, fileForbiddenError, folderNotMovableError, userPathInvalidError, userFileNotFoundError, userFileConflictError],
    answers: { 201: { description: 'The entry of the bin.', schema: binned } },
    async handle({ body, signal, ...request }) {
      const caller = callerOf(request)
      const place = access.filePlace(caller, body.path, 'body')
      const { folder, from, entry } = await access.permitMove(caller, place, undefined, { signal })
      return created(toJson(await changing(place, () => putIntoBin(folder, from, { path: place.text, entry }, clock))))
    },
  })

const restoreRoute = ({ access }: BinDependencies): HttpRoute =>
  defineRoute({
    method: 'POST',
    path: '/api/files/bin/{entry_id}/restore',
    operationId: 'restoreBinnedFile',
    summary: 'Bring something back from the bin',
    description: 'To where it was; folders of its path that are missing are made. 409 if something else is there now.',
    tags,
    auth: 'user',
    params,
    errors: [notFoundError, fileForbiddenError, userPathInvalidError, userFileNotFoundError, userFileConflictError],
    answers: { 200: { description: 'The entry at its path.', schema: listedFileSchema } },
    async handle({ params: { entry_id }, signal, ...request }) {
      const caller = callerOf(request)
      const found = await readBinned(access.ownFiles(caller), entry_id)
      if (!found) throw notFoundError.create({ what: 'entry of the bin' })
      const place = access.filePlace(caller, found.path, 'body')
      const { path, folder } = await access.permit(caller, 'write_file', place, { signal })
      const entry = await changing(place, () => restoreFromBin(folder, entry_id, path))
      return ok(toListed(place.text.split('/').slice(0, -1).join('/'), entry))
    },
  })

const deleteRoute = ({ access }: BinDependencies): HttpRoute =>
  defineRoute({
    method: 'DELETE',
    path: '/api/files/bin/{entry_id}',
    operationId: 'deleteBinnedFile',
    summary: 'Delete something in the bin for good',
    tags,
    auth: 'user',
    params,
    errors: [notFoundError],
    answers: { 204: { description: 'It is gone.' } },
    async handle({ params: { entry_id }, ...request }) {
      if (!(await deleteFromBin(access.ownFiles(callerOf(request)), entry_id))) throw notFoundError.create({ what: 'entry of the bin' })
      return noContent()
    },
  })

const emptyRoute = ({ access }: BinDependencies): HttpRoute =>
  defineRoute({
    method: 'DELETE',
    path: '/api/files/bin',
    operationId: 'emptyBin',
    summary: 'Delete all that is in the bin for good',
    tags,
    auth: 'user',
    answers: { 204: { description: 'The bin is empty.' } },
    async handle(request) {
      await emptyBin(access.ownFiles(callerOf(request)))
      return noContent()
    },
  })
