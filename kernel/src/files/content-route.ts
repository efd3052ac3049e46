import { Type } from '@agent-service/sdk'
import { onStreamEnd } from '@agent-service/sdk/async'
import { actorKinds, defineRoute, type HttpRoute, notFoundError, type RouteResponse } from '@agent-service/sdk/contracts/http-route'
import type { Limit } from '@agent-service/sdk/services/quotas'
import { isUnchanged } from '../http/answer/is-unchanged.js'
import { unauthenticatedError } from '../http/errors.js'
import { byteRangeOf } from './byte-range.js'
import { attachmentOf, contentTypeOf } from './content-headers.js'
import type { FileAccess } from './file-access.js'
import { fileBytes } from './file-bytes.js'
import { checkedUserPath, contentPath, userPathSchema } from './file-schemas.js'
import type { OpenUserFile } from './user-files.js'

/** Gives out the content of the caller's files. */
export function createFileContentRoute(dependencies: { readonly access: Pick<FileAccess, 'open'>; readonly downloads: Limit }): HttpRoute {
  const { access, downloads } = dependencies
  return defineRoute({
    method: 'GET',
    path: contentPath,
    operationId: 'getFileContent',
    summary: 'Download one of the caller’s files',
    description:
      'Takes `Range` (one range), `If-Range`, `If-None-Match` and `If-Modified-Since`. The file is always an attachment; types that a browser would run are `application/octet-stream`. What is not a regular file of the caller is 404.',
    tags: ['files'],
    auth: 'user',
    actors: actorKinds,
    presignable: true,
    query: Type.Object({ path: userPathSchema }),
    answers: {
      200: { description: 'The file.', contentType: 'application/octet-stream' },
      206: { description: 'A range of the file.', contentType: 'application/octet-stream' },
      304: { description: 'The file is still what the client has.' },
    },
    async handle({ principal, query, headers, signal }) {
      if (!principal) throw unauthenticatedError.create({})
      const place = checkedUserPath(query.path, 'query')
      const hold = await downloads.acquire(`user:${principal.userId}`, 1, { signal })
      let isSent = false
      try {
        const answer = await answerWith(await access.open(principal, place, { signal }), headers)
        if (answer.kind !== 'stream') return answer
        isSent = true
        return { ...answer, stream: onStreamEnd(answer.stream, () => hold.release()) }
      } finally {
        if (!isSent) hold.release()
      }
    },
  })
}

async function answerWith(file: OpenUserFile | undefined, asked: Readonly<Record<string, string>>): Promise<RouteResponse> {
  if (!file) throw notFoundError.create({ what: 'file' })
  try {
    return answerFor(file, asked)
  } catch (error) {
    await file.handle.close()
    throw error
  }
}

function answerFor(file: OpenUserFile, asked: Readonly<Record<string, string>>): RouteResponse {
  const headers = {
    etag: file.etag,
    'last-modified': file.modifiedAt.toUTCString(),
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    'content-disposition': attachmentOf(file.name),
    'content-security-policy': "sandbox; default-src 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
  if (isUnchanged(asked['if-none-match'], asked['if-modified-since'], file)) {
    void file.handle.close()
    return { status: 304, kind: 'empty', headers }
  }
  const isSameFile = asked['if-range'] === undefined || asked['if-range'] === file.etag
  const range = isSameFile ? byteRangeOf(asked['range'], file.size) : undefined
  const { first, last } = range ?? { first: 0, last: file.size - 1 }
  return {
    status: range ? 206 : 200,
    kind: 'stream',
    contentType: contentTypeOf(file.name),
    headers: range ? { ...headers, 'content-range': `bytes ${first}-${last}/${file.size}` } : headers,
    stream: fileBytes(file.handle, { first, last }),
    length: last - first + 1,
  }
}
