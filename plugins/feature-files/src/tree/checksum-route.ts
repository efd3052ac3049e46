import { createHash } from 'node:crypto'
import { namedObject, Type } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute, notFoundError, ok } from '@agent-service/sdk/contracts/http-route'
import type { Limit } from '@agent-service/sdk/services/quotas'
import { userFileConflictError, userFileNotFoundError, userPathInvalidError } from '@agent-service/sdk/services/user-files'
import { callerOf } from '../caller-of.js'
import { type FileAccess, fileForbiddenError } from '../file-access.js'
import { etagSchema, filePathSchema } from '../file-schemas.js'

/** The SHA-256 checksum of one of the caller's files. */
export function createChecksumRoute(dependencies: {
  readonly access: Pick<FileAccess, 'filePlace' | 'open'>
  /** Each reads a whole file. */
  readonly checksums: Limit
}): HttpRoute {
  const { access, checksums } = dependencies
  return defineRoute({
    method: 'GET',
    path: '/api/files/checksum',
    operationId: 'getFileChecksum',
    summary: 'The SHA-256 checksum of one of the caller’s files',
    description: 'Computed from the whole file on each request, one at a time for each user. It belongs to the content with `etag`.',
    tags: ['files'],
    auth: 'user',
    actors: actorKinds,
    rateClass: 'expensive',
    query: Type.Object({ path: filePathSchema }),
    errors: [notFoundError, fileForbiddenError, userPathInvalidError, userFileNotFoundError, userFileConflictError],
    answers: {
      200: {
        description: 'The checksum.',
        schema: namedObject('FileChecksum', {
          path: Type.String(),
          sha256: Type.String({ description: 'In hexadecimal.' }),
          size: Type.Integer({ description: 'In bytes.' }),
          etag: etagSchema,
        }),
      },
    },
    async handle({ query, signal, ...request }) {
      const caller = callerOf(request)
      const place = access.filePlace(caller, query.path, 'query')
      const hold = await checksums.acquire(`user:${caller.userId}`, 1, { signal })
      try {
        const file = await access.open(caller, place, { signal })
        if (!file) throw notFoundError.create({ what: 'file' })
        const hash = createHash('sha256')
        for await (const piece of file.stream()) {
          signal.throwIfAborted()
          hash.update(piece)
        }
        return ok({ path: place.text, sha256: hash.digest('hex'), size: file.size, etag: file.etag ?? '' })
      } finally {
        hold.release()
      }
    },
  })
}
