import { namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, noContent, notFoundError } from '@agent-service/sdk/contracts/http-route'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import {
  type UserFileEntry,
  userFileChangedError,
  userFileConflictError,
  userFileNotFoundError,
  userFileTooLargeError,
  userPathInvalidError,
  userStorageFullError,
} from '@agent-service/sdk/services/user-files'
import { callerOf } from './caller-of.js'
import type { FileAccess, FilePlace } from './file-access.js'
import { fileForbiddenError } from './file-access.js'
import { contentPath, etagSchema, filePathSchema } from './file-schemas.js'

const storedFileSchema = namedObject('StoredFile', {
  path: Type.String(),
  size: Type.Integer({ description: 'In bytes.' }),
  modified_at: Type.String(),
  etag: etagSchema,
})

const toStored = (place: FilePlace, file: UserFileEntry) => ({
  path: `${place.text.slice(0, place.text.lastIndexOf('/'))}/${file.name}`,
  size: file.size,
  modified_at: new Date(file.modifiedAt).toISOString(),
  etag: file.etag ?? '',
})

type Headers = Readonly<Record<string, string>>

/** What `If-Match` and `If-None-Match` ask for. */
export const conditionsOf = (headers: Headers): { readonly ifMatch?: string; readonly ifNoneMatch?: string } => ({
  ...(headers['if-match'] === undefined ? {} : { ifMatch: headers['if-match'] }),
  ...(headers['if-none-match'] === undefined ? {} : { ifNoneMatch: headers['if-none-match'] }),
})

/** The length that a client announces: a longer body is refused. */
const announcedBy = (headers: Headers): { readonly expectedBytes?: number } => {
  const announced = Number(headers['content-length'] ?? Number.NaN)
  return Number.isSafeInteger(announced) ? { expectedBytes: announced } : {}
}

type ChangeAccess = Pick<FileAccess, 'filePlace' | 'permit'>

/** Uploads one of the caller's files. */
export function createUploadRoute({ access }: { readonly access: ChangeAccess }): HttpRoute {
  return defineRoute({
    method: 'PUT',
    path: contentPath,
    operationId: 'putFileContent',
    summary: 'Upload one of the caller’s files',
    description:
      'The body is the whole file, of any type, up to `server.max_body_size_bytes`. The file changes when all of it has arrived, or not at all. `If-Match` with an etag replaces only what the client has seen, `If-None-Match: *` only creates a new file; otherwise 412. Missing folders are created. 409 if the path is not a file, 413 `quota_exceeded` if the caller’s files would exceed their limit.',
    tags: ['files'],
    auth: 'user',
    rateClass: 'expensive',
    query: Type.Object({ path: filePathSchema }),
    // The service's ceiling applies.
    body: { kind: 'stream', contentTypes: ['*/*'], limit: Number.MAX_SAFE_INTEGER, example: 'Milk, bread, apples' },
    errors: [
      notFoundError,
      fileForbiddenError,
      userPathInvalidError,
      userFileNotFoundError,
      userFileConflictError,
      userFileChangedError,
      userFileTooLargeError,
      userStorageFullError,
      quotaExceededError,
    ],
    answers: {
      200: { description: 'The file was replaced.', schema: storedFileSchema },
      201: { description: 'The file was created.', schema: storedFileSchema },
    },
    async handle({ query, headers, bodyStream, signal, ...request }) {
      const caller = callerOf(request)
      const place = access.filePlace(caller, query.path, 'query')
      if (!bodyStream) throw new TypeError('An upload has no body.')
      const { path, folder } = await access.permit(caller, 'write_file', place, { signal })
      const { file, created } = await changing(place, () =>
        folder.write(path, bodyStream, { ...conditionsOf(headers), ...announcedBy(headers), signal }),
      )
      const stored = toStored(place, file)
      return { status: created ? 201 : 200, kind: 'json', json: stored, headers: { etag: stored.etag } }
    },
  })
}

/** Deletes a file, a link or an empty folder of the caller. */
export function createDeleteRoute({ access }: { readonly access: ChangeAccess }): HttpRoute {
  return defineRoute({
    method: 'DELETE',
    path: contentPath,
    operationId: 'deleteFileContent',
    summary: 'Delete one of the caller’s files',
    description: 'Supports `If-Match`. A symbolic link is removed, not its target. An empty folder is removed; any other folder is 409.',
    tags: ['files'],
    auth: 'user',
    query: Type.Object({ path: filePathSchema }),
    errors: [notFoundError, fileForbiddenError, userPathInvalidError, userFileNotFoundError, userFileConflictError, userFileChangedError],
    answers: { 204: { description: 'It was deleted.' } },
    async handle({ query, headers, signal, ...request }) {
      const caller = callerOf(request)
      const place = access.filePlace(caller, query.path, 'query')
      const { ifMatch } = conditionsOf(headers)
      const { path, folder } = await access.permit(caller, 'write_file', place, { signal })
      const removed = await changing(place, () => folder.remove(path, ifMatch === undefined ? {} : { ifMatch }))
      if (!removed) throw notFoundError.create({ what: 'file' })
      return noContent()
    },
  })
}

/**
 * Makes a change and translates its errors for the HTTP API: a missing file becomes `not_found`,
 * and paths are complete.
 */
export async function changing<Result>(place: FilePlace, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (userFileNotFoundError.isInstance(error)) throw notFoundError.create({ what: 'file' }, { cause: error })
    if (userFileConflictError.isInstance(error))
      throw userFileConflictError.create({ path: place.text, reason: String(error.details['reason']) }, { cause: error })
    throw error
  }
}
