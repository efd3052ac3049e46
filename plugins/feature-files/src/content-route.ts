import { Type } from '@agent-service/sdk'
import { onStreamEnd } from '@agent-service/sdk/async'
import {
  actorKinds,
  byteRangeOf,
  defineRoute,
  type HttpRoute,
  notFoundError,
  type RouteResponse,
  rangeNotSatisfiableError,
} from '@agent-service/sdk/contracts/http-route'
import type { Limit } from '@agent-service/sdk/services/quotas'
import type { OpenUserFile, UserFileEntry } from '@agent-service/sdk/services/user-files'
import { userFileConflictError, userFileNotFoundError, userPathInvalidError } from '@agent-service/sdk/services/user-files'
import { callerOf } from './caller-of.js'
import { sniffedBytes, sniffedTypeOf } from './content/sniffed-type.js'
import { attachmentOf } from './content-headers.js'
import type { FileAccess } from './file-access.js'
import { fileForbiddenError } from './file-access.js'
import { contentPath, filePathSchema } from './file-schemas.js'

/** Sends the content of the caller's files. */
export function createDownloadRoute(dependencies: {
  readonly access: Pick<FileAccess, 'filePlace' | 'open'>
  readonly downloads: Limit
}): HttpRoute {
  const { access, downloads } = dependencies
  return defineRoute({
    method: 'GET',
    path: contentPath,
    operationId: 'getFileContent',
    summary: 'Download one of the caller’s files',
    description:
      'Supports `Range` (one range), `If-Range`, `If-None-Match` and `If-Modified-Since`. The file is an attachment (but for a PDF document with `view=inline`); its media type is that of its first bytes, whatever its name says, and types that a browser would run are sent as `application/octet-stream`. Anything but a regular file of the caller is 404.',
    tags: ['files'],
    auth: 'user',
    actors: actorKinds,
    presignable: true,
    query: Type.Object({
      path: filePathSchema,
      view: Type.Optional(
        Type.Literal('inline', {
          description: 'A PDF document is then shown by the browser’s own viewer; for any other type nothing changes.',
        }),
      ),
    }),
    errors: [
      notFoundError,
      fileForbiddenError,
      userPathInvalidError,
      userFileNotFoundError,
      rangeNotSatisfiableError,
      userFileConflictError,
    ],
    answers: {
      200: { description: 'The file.', contentType: 'application/octet-stream', example: 'Milk, bread, apples' },
      206: { description: 'A range of the file.', contentType: 'application/octet-stream', example: 'bread' },
      304: { description: 'The file has not changed.' },
    },
    async handle({ query, headers, signal, ...request }) {
      const caller = callerOf(request)
      const place = access.filePlace(caller, query.path, 'query')
      const hold = await downloads.acquire(`user:${caller.userId}`, 1, { signal })
      let isSent = false
      try {
        const answer = await answerWith(await access.open(caller, place, { signal }), headers, query.view === 'inline')
        if (answer.kind !== 'stream') return answer
        isSent = true
        return { ...answer, stream: onStreamEnd(answer.stream, () => hold.release()) }
      } finally {
        if (!isSent) hold.release()
      }
    },
  })
}

/** The file stays open only if its bytes are sent. */
async function answerWith(
  file: OpenUserFile | undefined,
  asked: Readonly<Record<string, string>>,
  isInline: boolean,
): Promise<RouteResponse> {
  if (!file) throw notFoundError.create({ what: 'file' })
  let isSent = false
  try {
    const answer = await answerFor(file, asked, isInline)
    isSent = answer.kind === 'stream'
    return answer
  } finally {
    if (!isSent) await file.close()
  }
}

/**
 * Viewers of PDF documents do not start in a sandbox; they keep what is in the document apart from
 * every page by themselves, and this policy withholds everything else.
 */
const pdfPolicy = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'"

async function answerFor(file: OpenUserFile, asked: Readonly<Record<string, string>>, isInline: boolean): Promise<RouteResponse> {
  const contentType = await sniffedTypeOf(file.name, await file.peek(sniffedBytes))
  const isShown = isInline && contentType === 'application/pdf'
  const headers = {
    etag: file.etag ?? '',
    'last-modified': new Date(file.modifiedAt).toUTCString(),
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    'content-disposition': isShown ? 'inline' : attachmentOf(file.name),
    'content-security-policy': isShown ? pdfPolicy : "sandbox; default-src 'none'",
    ...(isShown ? { 'x-frame-options': 'SAMEORIGIN' } : {}),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
  if (isUnchanged(asked, file)) return { status: 304, kind: 'empty', headers }
  const isSameFile = asked['if-range'] === undefined || asked['if-range'] === file.etag
  const range = isSameFile ? byteRangeOf(asked['range'], file.size) : undefined
  const { first, last } = range ?? { first: 0, last: file.size - 1 }
  const length = last - first + 1
  return {
    status: range ? 206 : 200,
    kind: 'stream',
    contentType,
    headers: range ? { ...headers, 'content-range': `bytes ${first}-${last}/${file.size}` } : headers,
    stream: file.stream({ offset: first, length }),
    length,
  }
}

/**
 * Whether the client's copy is still current (RFC 9110, section 13). `If-None-Match` decides if it
 * is present.
 */
function isUnchanged(asked: Readonly<Record<string, string>>, file: Pick<UserFileEntry, 'etag' | 'modifiedAt'>): boolean {
  const ifNoneMatch = asked['if-none-match']
  const ifModifiedSince = asked['if-modified-since']
  if (ifNoneMatch !== undefined)
    return ifNoneMatch === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === file.etag)
  // The header has no milliseconds.
  return ifModifiedSince !== undefined && Math.floor(file.modifiedAt / 1000) * 1000 <= Date.parse(ifModifiedSince)
}
