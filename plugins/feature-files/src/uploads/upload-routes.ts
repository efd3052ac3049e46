import { namedObject, Type } from '@agent-service/sdk'
import {
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  type Principal,
  pageCursorError,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import {
  type UserFiles,
  type UserUpload,
  userFileChangedError,
  userFileConflictError,
  userFileNotFoundError,
  userPathInvalidError,
  userStorageFullError,
  userUploadChecksumError,
  userUploadLockedError,
  userUploadOffsetError,
  userUploadsTooManyError,
  userUploadTooLongError,
} from '@agent-service/sdk/services/user-files'
import { callerOf } from '../caller-of.js'
import { changing, conditionsOf } from '../change-routes.js'
import { type FileAccess, type FilePlace, fileForbiddenError, userSubsystems } from '../file-access.js'
import { findUpload, type OwnUpload, placeOf, uploadsOf } from './upload-access.js'
import {
  bytesOfHeader,
  checkPieceType,
  checksumOf,
  checkTusVersion,
  headerProblem,
  maxUploadBytes,
  pieceTypeError,
  stateHeaders,
  tusHeaders,
  tusOptions,
  tusVersionError,
  uploadTooLargeError,
} from './upload-headers.js'
import { parseMetadata } from './upload-metadata.js'

const uploadSchema = namedObject('Upload', {
  id: Type.String({ examples: ['0a1b2c3d4e5f60718293a4b5c6d7e8f9'] }),
  path: Type.String({ description: 'Where the file will be.', examples: ['files/video.mp4'] }),
  size: Type.Integer({ description: 'Of the whole file, in bytes.' }),
  offset: Type.Integer({ description: 'How many bytes have arrived. As many as `size`: the file is there.' }),
  last_modified: Type.Union([Type.String(), Type.Null()], {
    description: 'What the client’s metadata says about its file, to recognise it again.',
  }),
  expires_at: Type.String({ description: 'When what has arrived is removed, unless more arrives.' }),
})

const toJson = (place: FilePlace, { id, size, offset, note, expiresAt }: UserUpload) => ({
  ...{ id, path: place.text, size, offset },
  last_modified: parseMetadata(note)?.get('lastmodified') ?? null,
  expires_at: new Date(expiresAt).toISOString(),
})

export const uploadsPath = '/api/files/uploads'
const onePath = `${uploadsPath}/{upload_id}`
const params = Type.Object({ upload_id: Type.String({ maxLength: 64, examples: ['0a1b2c3d4e5f60718293a4b5c6d7e8f9'] }) })
const tags = ['files']
const maxMetadataLength = 8_000
const absent = (): Error => notFoundError.create({ what: 'upload' })

interface UploadDependencies {
  readonly files: UserFiles
  readonly access: Pick<FileAccess, 'filePlace' | 'permit'>
}

/** Resumable uploads by the tus protocol, version 1.0.0. */
export const createUploadRoutes = (dependencies: UploadDependencies): readonly HttpRoute[] => [
  createRoute(dependencies),
  listRoute(dependencies),
  stateRoute(dependencies),
  appendRoute(dependencies),
  dropRoute(dependencies),
]

async function ownUpload(dependencies: UploadDependencies, principal: Principal, id: string): Promise<OwnUpload> {
  const own = await findUpload(dependencies, principal, id)
  if (!own) throw absent()
  return own
}

const createRoute = ({ files, access }: UploadDependencies): HttpRoute =>
  defineRoute({
    method: 'POST',
    path: uploadsPath,
    operationId: 'createUpload',
    summary: 'Begin a resumable upload',
    description:
      'By the [tus protocol](https://tus.io/protocols/resumable-upload), version 1.0.0, with creation, expiration, checksum and termination. `Upload-Length` has the size, `Upload-Metadata` the key `path` with the path of the file (and, if you like, `lastmodified`). `If-Match` and `If-None-Match` apply as to an upload in one piece, now and when the last byte has arrived. The room that the file needs is taken now. `Location` is where the pieces go; each piece may be as large as `server.max_body_size_bytes` (413 `body_too_large`).',
    tags,
    auth: 'user',
    rateClass: 'expensive',
    errors: [
      ...[tusVersionError, uploadTooLargeError, fileForbiddenError, userPathInvalidError, userFileNotFoundError, userFileConflictError],
      ...[userFileChangedError, userStorageFullError, quotaExceededError, userUploadsTooManyError, notFoundError],
    ],
    optionsHeaders: tusOptions,
    answers: { 201: { description: 'The upload, at the address in `Location`.', schema: uploadSchema } },
    async handle({ headers, signal, ...request }) {
      const caller = callerOf(request)
      checkTusVersion(headers)
      const size = bytesOfHeader(headers, 'upload-length')
      if (size > maxUploadBytes) throw uploadTooLargeError.create({ size })
      const note = headers['upload-metadata'] ?? ''
      const text = note.length > maxMetadataLength ? undefined : parseMetadata(note)?.get('path')
      if (text === undefined) throw headerProblem('upload-metadata', 'must have the key “path” with a value in base64')
      const place = access.filePlace(caller, text, 'headers', 'upload-metadata')
      const { path } = await access.permit(caller, 'write_file', place, { signal })
      const uploads = uploadsOf(files, caller, place.subsystem)
      const upload = await changing(place, () => uploads.begin(path, { ...conditionsOf(headers), size, note }))
      const location = `${uploadsPath}/${upload.id}`
      return { status: 201, kind: 'json', json: toJson(place, upload), headers: { ...stateHeaders(upload), location } }
    },
  })

const listRoute = ({ files, access }: UploadDependencies): HttpRoute =>
  defineRoute({
    method: 'GET',
    path: uploadsPath,
    operationId: 'listUploads',
    summary: 'List the unfinished uploads of the caller',
    description: 'The oldest first. An upload that nothing was added to for a day is removed.',
    tags,
    auth: 'user',
    query: pageQuerySchema,
    answers: { 200: { description: 'A page of uploads.', schema: pageSchema(uploadSchema) } },
    async handle({ query: { limit = 50, cursor = '0' }, ...request }) {
      const caller = callerOf(request)
      if (!/^\d{1,6}$/.test(cursor)) throw pageCursorError.create({})
      const lists = await Promise.all(
        userSubsystems.map(async (subsystem) =>
          (await uploadsOf(files, caller, subsystem).list()).map((upload) => ({
            upload,
            place: placeOf(access, caller, subsystem, upload),
          })),
        ),
      )
      const all = lists.flat()
      const [first, end] = [Number(cursor), Number(cursor) + limit]
      const items = all.slice(first, end).map(({ place, upload }) => toJson(place, upload))
      return ok({ items, next_cursor: end < all.length ? String(end) : null })
    },
  })

const stateRoute = (dependencies: UploadDependencies): HttpRoute =>
  defineRoute({
    method: 'GET',
    path: onePath,
    operationId: 'getUpload',
    summary: 'See how much of an upload has arrived',
    description: 'In `Upload-Offset`, for `HEAD` too: what survives a failure of the service. For a day also of a finished upload.',
    tags,
    auth: 'user',
    params,
    errors: [notFoundError, tusVersionError],
    optionsHeaders: tusOptions,
    answers: { 200: { description: 'The upload.', schema: uploadSchema } },
    async handle({ params: { upload_id }, headers, ...request }) {
      checkTusVersion(headers)
      const { place, upload } = await ownUpload(dependencies, callerOf(request), upload_id)
      return { status: 200, kind: 'json', json: toJson(place, upload), headers: stateHeaders(upload) }
    },
  })

const appendRoute = (dependencies: UploadDependencies): HttpRoute =>
  defineRoute({
    method: 'PATCH',
    path: onePath,
    operationId: 'appendToUpload',
    summary: 'Add a piece to an upload',
    description:
      'Behind the bytes that have arrived: `Upload-Offset` says where it begins, otherwise 409. One piece at a time, otherwise 423. Of a piece that breaks off, what has arrived counts; with `Upload-Checksum`, all of it or nothing (460). The file is there when the last byte has arrived; if it cannot be put there (409, 412), send the last byte again.',
    tags,
    auth: 'user',
    rateClass: 'expensive',
    params,
    // The service's ceiling applies.
    body: { kind: 'stream', contentTypes: ['*/*'], limit: Number.MAX_SAFE_INTEGER, example: 'Milk, bread' },
    errors: [
      ...[notFoundError, tusVersionError, fileForbiddenError, userPathInvalidError, userFileNotFoundError, userFileConflictError],
      ...[userFileChangedError, userStorageFullError, userUploadLockedError, userUploadOffsetError, userUploadTooLongError],
      ...[userUploadChecksumError, pieceTypeError],
    ],
    answers: { 204: { description: 'It has arrived.' } },
    async handle({ params: { upload_id }, headers, bodyStream, signal, ...request }) {
      const caller = callerOf(request)
      checkTusVersion(headers)
      // Whose upload it is comes first: of another one a request says nothing else.
      const { place, uploads } = await ownUpload(dependencies, caller, upload_id)
      checkPieceType(headers)
      const offset = bytesOfHeader(headers, 'upload-offset')
      const checksum = checksumOf(headers)
      await dependencies.access.permit(caller, 'write_file', place, { signal })
      if (!bodyStream) throw new TypeError('A piece of an upload has no body.')
      const upload = await changing(place, () =>
        uploads.append(upload_id, bodyStream, { offset, signal, ...(checksum !== undefined && { checksum }) }),
      )
      if (!upload) throw absent()
      return { status: 204, kind: 'empty', headers: stateHeaders(upload) }
    },
  })

const dropRoute = (dependencies: UploadDependencies): HttpRoute =>
  defineRoute({
    method: 'DELETE',
    path: onePath,
    operationId: 'deleteUpload',
    summary: 'Cancel an upload',
    description: 'What has arrived is removed. The file of a finished upload stays.',
    tags,
    auth: 'user',
    params,
    errors: [notFoundError, tusVersionError, userUploadLockedError],
    answers: { 204: { description: 'It was cancelled.' } },
    async handle({ params: { upload_id }, headers, ...request }) {
      checkTusVersion(headers)
      const { uploads } = await ownUpload(dependencies, callerOf(request), upload_id)
      if (!(await uploads.drop(upload_id))) throw absent()
      return { ...noContent(), headers: tusHeaders }
    },
  })
