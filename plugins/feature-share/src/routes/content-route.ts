import { Type } from '@agent-service/sdk'
import { onStreamEnd } from '@agent-service/sdk/async'
import {
  byteRangeOf,
  defineRoute,
  type HttpRoute,
  type RouteResponse,
  rangeNotSatisfiableError,
} from '@agent-service/sdk/contracts/http-route'
import type { Collection } from '@agent-service/sdk/services/database'
import { holderOf, type Limit } from '@agent-service/sdk/services/quotas'
import { userFileConflictError } from '@agent-service/sdk/services/user-files'
import type { FilePlace, SharedFiles } from '../common/shared-files.js'
import { answerLink, type LinkParts } from '../opening/answer-link.js'
import { tooManyMissesError } from '../opening/errors.js'
import { chatText } from '../pages/chat-text.js'
import { dispositionOf, sentAs } from '../pages/content-type.js'
import { privateHeaders } from '../pages/page-frame.js'
import { languageOf, texts } from '../pages/texts.js'
import type { Share, Snapshot } from '../store/share.js'

/**
 * Headers of shared content, which must never act as part of the service: no script runs, the
 * document has an origin of its own, and nothing is requested. Only the page of the link may frame
 * it. A browser opens a sandboxed document only without `Cross-Origin-Opener-Policy`.
 */
const contentHeaders: Readonly<Record<string, string>> = {
  ...privateHeaders,
  'cache-control': 'private, no-cache',
  'content-security-policy':
    "sandbox; default-src 'none'; img-src data:; media-src data:; font-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'cross-origin-opener-policy': 'unsafe-none',
  'x-frame-options': 'SAMEORIGIN',
}

/** What a link may be followed by: messengers add parameters of their own, which mean nothing. */
export const linkQuery = Type.Object({ download: Type.Optional(Type.String({ maxLength: 10 })) }, { additionalProperties: true })
export const linkParams = Type.Object({ id: Type.String({ description: 'The secret part of the link.' }) })

/** `GET /s/{id}`: what a link leads to, for everyone who has the link. */
export function createContentRoute(dependencies: {
  readonly parts: LinkParts
  readonly files: Pick<SharedFiles, 'open'>
  readonly snapshots: Pick<Collection<Snapshot>, 'get'>
  readonly downloads: Limit
}): HttpRoute {
  const { parts, files, snapshots, downloads } = dependencies
  return defineRoute({
    method: 'GET',
    path: '/s/{id}',
    operationId: 'getSharedContent',
    summary: 'The content of a share link',
    description:
      'Without a sign-in. A file as it is now, or a chat as it was, as plain text; with `Range`, `If-Range` and `If-None-Match`. Content is confined: no scripts, an origin of its own, no requests. Every link that does not work gets the same 404, whatever the reason, and at most 60 of them are answered at once from one network, then one a second.',
    tags: ['shares'],
    auth: 'public',
    params: linkParams,
    encodedSlashes: true,
    query: linkQuery,
    errors: [rangeNotSatisfiableError, tooManyMissesError, userFileConflictError],
    answers: {
      200: { description: 'The content.', contentType: 'application/octet-stream', example: 'Milk, bread, apples' },
      206: { description: 'A range of it.', contentType: 'application/octet-stream', example: 'bread' },
      304: { description: 'It has not changed.' },
      404: { description: 'The link does not work: a page for those who accept `text/html`, else a problem.', contentType: '*/*' },
    },
    async handle({ params, query, headers, address, signal }) {
      const asked = { headers, attachment: query['download'] !== undefined }
      return answerLink(parts, { what: 'content', secret: params.id, headers, address, signal }, async ({ share, owner }) => {
        if (share.kind === 'chat') {
          const snapshot = await snapshots.get(share.id)
          return snapshot && chatAnswer(share, snapshot, asked)
        }
        const hold = await downloads.acquire(holderOf({ address }), 1, { signal })
        let isSent = false
        try {
          const answer = await fileAnswer(files, { owner, place: placeOf(share), signal }, asked)
          if (answer?.kind !== 'stream') return answer
          isSent = true
          return { ...answer, stream: onStreamEnd(answer.stream, () => hold.release()) }
        } finally {
          if (!isSent) hold.release()
        }
      })
    },
  })
}

/** The place of a shared file. */
export function placeOf({ id, subsystem, path }: Pick<Share, 'id' | 'subsystem' | 'path'>): FilePlace {
  if (subsystem === null || path === null) throw new Error(`The share ${id} of a file has no path.`)
  return { subsystem, path }
}

interface Asked {
  readonly headers: Readonly<Record<string, string>>
  readonly attachment: boolean
}

async function fileAnswer(
  files: Pick<SharedFiles, 'open'>,
  request: Parameters<SharedFiles['open']>[0],
  { headers: asked, attachment }: Asked,
): Promise<RouteResponse | undefined> {
  const file = await files.open(request)
  if (!file) return undefined
  let isSent = false
  try {
    const { type, shown } = sentAs(file.name)
    const headers = {
      ...contentHeaders,
      etag: file.etag ?? '',
      'last-modified': new Date(file.modifiedAt).toUTCString(),
      'accept-ranges': 'bytes',
      'content-disposition': dispositionOf(shown && !attachment ? 'inline' : 'attachment', file.name),
    }
    if (isUnchanged(asked['if-none-match'], file.etag)) return { status: 304, kind: 'empty', headers }
    const isSameFile = asked['if-range'] === undefined || asked['if-range'] === file.etag
    const range = isSameFile ? byteRangeOf(asked['range'], file.size) : undefined
    const { first, last } = range ?? { first: 0, last: file.size - 1 }
    const length = last - first + 1
    isSent = true
    return {
      status: range ? 206 : 200,
      kind: 'stream',
      contentType: type,
      headers: range ? { ...headers, 'content-range': `bytes ${first}-${last}/${file.size}` } : headers,
      stream: file.stream({ offset: first, length }),
      length,
    }
  } finally {
    if (!isSent) await file.close()
  }
}

function chatAnswer(share: Share, snapshot: Snapshot, { headers: asked, attachment }: Asked): RouteResponse {
  const language = languageOf(asked['accept-language'])
  const whole = Buffer.from(chatText(share, snapshot, texts[language]))
  // A snapshot never changes; its headings are in the reader's language.
  const etag = `"${share.id}-${language}"`
  const headers = {
    ...contentHeaders,
    etag,
    'accept-ranges': 'bytes',
    vary: 'Accept-Language',
    'content-disposition': dispositionOf(attachment ? 'attachment' : 'inline', `${fileNameOf(share.title) || 'chat'}.md`),
  }
  if (isUnchanged(asked['if-none-match'], etag)) return { status: 304, kind: 'empty', headers }
  const isSame = asked['if-range'] === undefined || asked['if-range'] === etag
  const range = isSame ? byteRangeOf(asked['range'], whole.length) : undefined
  return {
    status: range ? 206 : 200,
    kind: 'bytes',
    contentType: 'text/plain; charset=utf-8',
    headers: range ? { ...headers, 'content-range': `bytes ${range.first}-${range.last}/${whole.length}` } : headers,
    bytes: range ? whole.subarray(range.first, range.last + 1) : whole,
  }
}

const fileNameOf = (title: string): string =>
  title
    .replaceAll(/[\p{C}/\\:*?"<>|]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
    .slice(0, 100)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()

const isUnchanged = (asked: string | undefined, etag: string | undefined): boolean =>
  asked !== undefined && (asked === '*' || asked.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))
