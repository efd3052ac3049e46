import { namedObject, Type } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute, notFoundError, ok } from '@agent-service/sdk/contracts/http-route'
import type { PresignedUrls } from '@agent-service/sdk/services/presigned-urls'
import { userFileConflictError, userFileNotFoundError, userPathInvalidError } from '@agent-service/sdk/services/user-files'
import { callerOf } from './caller-of.js'
import type { FileAccess } from './file-access.js'
import { fileForbiddenError } from './file-access.js'
import { contentPath, filePathSchema } from './file-schemas.js'

/** Slashes are not escaped: some proxies rewrite their escapes, and the exact bytes are signed. */
const targetOf = (path: string): string => `${contentPath}?path=${encodeURIComponent(path).replaceAll('%2F', '/')}`

/** Creates URLs to the caller's files that work without a credential. */
export function createPresignRoute(dependencies: {
  readonly access: Pick<FileAccess, 'filePlace' | 'open'>
  readonly presignedUrls: PresignedUrls
}): HttpRoute {
  const { access, presignedUrls } = dependencies
  return defineRoute({
    method: 'POST',
    path: '/api/files/presign',
    operationId: 'presignFile',
    summary: 'Create a pre-signed URL to one of the caller’s files',
    description:
      'Anyone with the URL can download the file, in its current state, until `expires_at`. A URL that is created with a token ends no later than the token.',
    tags: ['files'],
    auth: 'user',
    actors: actorKinds,
    includes: ['getFileContent'],
    // It gives access to what the credential can read, and changes nothing.
    scope: 'read',
    body: {
      kind: 'json',
      schema: Type.Object({
        path: filePathSchema,
        method: Type.Optional(
          Type.Union([Type.Literal('GET'), Type.Literal('HEAD')], { description: 'Default: GET, which also permits HEAD.' }),
        ),
      }),
      limit: 64 * 1024,
    },
    errors: [notFoundError, fileForbiddenError, userPathInvalidError, userFileNotFoundError, userFileConflictError],
    answers: {
      200: {
        description: 'The URL.',
        schema: namedObject('PresignedUrl', {
          id: Type.String({ description: 'For revoking it.' }),
          url: Type.String(),
          expires_at: Type.String(),
        }),
      },
    },
    async handle({ body, signal, ...request }) {
      const caller = callerOf(request)
      const place = access.filePlace(caller, body.path, 'body')
      const file = await access.open(caller, place, { signal })
      if (!file) throw notFoundError.create({ what: 'file' })
      await file.close()
      const made = await presignedUrls.create(caller, { method: body.method ?? 'GET', target: targetOf(place.text) })
      return ok({ id: made.id, url: made.url, expires_at: new Date(made.expiresAt).toISOString() })
    },
  })
}
