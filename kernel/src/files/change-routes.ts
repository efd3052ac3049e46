import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, noContent, notFoundError, type Principal } from '@agent-service/sdk/contracts/http-route'
import { type UserFileEntry, userFileConflictError, userFileNotFoundError } from '@agent-service/sdk/services/user-files'
import { unauthenticatedError } from '../http/errors.js'
import type { FileAccess } from './file-access.js'
import { checkedUserPath, contentPath, storedFileSchema, userPathSchema } from './file-schemas.js'
import type { UserFiles } from './user-files.js'
import { type UserPath, userPathText } from './user-path.js'

function changerOf(principal: Principal | undefined): Principal {
  if (!principal) throw unauthenticatedError.create({})
  return principal
}

const conditionsOf = (headers: Readonly<Record<string, string>>): { readonly ifMatch?: string; readonly ifNoneMatch?: string } => ({
  ...(headers['if-match'] === undefined ? {} : { ifMatch: headers['if-match'] }),
  ...(headers['if-none-match'] === undefined ? {} : { ifNoneMatch: headers['if-none-match'] }),
})

/** The length that a client announces: a body that is longer breaks off. */
const announcedBy = (headers: Readonly<Record<string, string>>): { readonly expectedBytes?: number } => {
  const announced = Number(headers['content-length'] ?? Number.NaN)
  return Number.isSafeInteger(announced) ? { expectedBytes: announced } : {}
}

const toStored = (place: UserPath, file: UserFileEntry) => ({
  path: userPathText(place),
  size: file.size,
  modified_at: new Date(file.modifiedAt).toISOString(),
  etag: file.etag ?? '',
})

/** Changes of the caller's files. */
export function createFileChangeRoutes(dependencies: {
  readonly files: UserFiles
  readonly access: Pick<FileAccess, 'permit'>
}): readonly HttpRoute[] {
  const { files, access } = dependencies
  const folderOf = (owner: Principal, { subsystem }: UserPath) => files.folder(owner, { subsystem, links: 'refuse' })
  return [
    defineRoute({
      method: 'PUT',
      path: contentPath,
      operationId: 'putFileContent',
      summary: 'Upload one of the caller’s files',
      description:
        'The body is the whole file, of any type, up to `server.max_body_size_bytes`. The file changes when all of it has arrived, or not at all. `If-Match` with an etag replaces only what the client has seen, `If-None-Match: *` only makes a new file; otherwise 412. Folders that are missing are made. 409 where something else than a file stands there, 413 `quota_exceeded` where the caller’s files would take more than they may.',
      tags: ['files'],
      auth: 'user',
      rateClass: 'expensive',
      query: Type.Object({ path: userPathSchema }),
      // The service's ceiling applies.
      body: { kind: 'stream', contentTypes: ['*/*'], limit: Number.MAX_SAFE_INTEGER },
      answers: {
        200: { description: 'The file has its new content.', schema: storedFileSchema },
        201: { description: 'The file is there.', schema: storedFileSchema },
      },
      async handle({ principal, query, headers, bodyStream, signal }) {
        const owner = changerOf(principal)
        const place = checkedUserPath(query.path, 'query')
        if (!bodyStream) throw new TypeError('An upload came without its body.')
        const path = await access.permit(owner, 'write_file', place, { signal })
        const { file, created } = await inRoute(place, () =>
          folderOf(owner, place).write(path, bodyStream, { ...conditionsOf(headers), ...announcedBy(headers), signal }),
        )
        const stored = toStored(place, file)
        return { status: created ? 201 : 200, kind: 'json', json: stored, headers: { etag: stored.etag } }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: contentPath,
      operationId: 'deleteFileContent',
      summary: 'Delete one of the caller’s files',
      description:
        'Takes `If-Match`. A symbolic link is removed, not what it leads to. An empty folder is removed; 409 for one that is not.',
      tags: ['files'],
      auth: 'user',
      query: Type.Object({ path: userPathSchema }),
      answers: { 204: { description: 'It is gone.' } },
      async handle({ principal, query, headers, signal }) {
        const owner = changerOf(principal)
        const place = checkedUserPath(query.path, 'query')
        const { ifMatch } = conditionsOf(headers)
        const path = await access.permit(owner, 'write_file', place, { signal })
        const removed = await inRoute(place, () => folderOf(owner, place).remove(path, ifMatch === undefined ? {} : { ifMatch }))
        if (!removed) throw notFoundError.create({ what: 'file' })
        return noContent()
      },
    }),
  ]
}

/** Does it, with the words of the HTTP interface: what is not there is `not_found`, and paths are told in full. */
async function inRoute<Result>(place: UserPath, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (userFileNotFoundError.isInstance(error)) throw notFoundError.create({ what: 'file' }, { cause: error })
    if (userFileConflictError.isInstance(error))
      throw userFileConflictError.create({ path: userPathText(place), reason: String(error.details['reason']) }, { cause: error })
    throw error
  }
}
