import { onStreamEnd } from '@agent-service/sdk/async'
import { defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { Collection } from '@agent-service/sdk/services/database'
import { holderOf, type Limit } from '@agent-service/sdk/services/quotas'
import type { Urls } from '@agent-service/sdk/services/urls'
import type { SharedFiles } from '../common/shared-files.js'
import { answerLink, type LinkParts } from '../opening/answer-link.js'
import { tooManyMissesError } from '../opening/errors.js'
import { chatPage } from '../pages/chat-page.js'
import { filePage } from '../pages/file-page.js'
import { pageHeaders } from '../pages/page-frame.js'
import { originsOf } from '../pages/said.js'
import { languageOf } from '../pages/texts.js'
import type { Snapshot } from '../store/share.js'
import { linkParams, linkQuery, placeOf } from './content-route.js'

/** `GET /p/{id}`: a page that shows what a link leads to. */
export function createPageRoute(dependencies: {
  readonly parts: LinkParts
  readonly files: Pick<SharedFiles, 'open'>
  readonly snapshots: Pick<Collection<Snapshot>, 'get'>
  readonly downloads: Limit
  readonly urls: Urls
}): HttpRoute {
  const { parts, files, snapshots, downloads, urls } = dependencies
  return defineRoute({
    method: 'GET',
    path: '/p/{id}',
    operationId: 'getSharedPage',
    summary: 'The page of a share link',
    description:
      'Without a sign-in: a page for people, without scripts, in English or German by `Accept-Language`, that shows the file or the chat. Links that do not work are answered as those of `GET /s/{id}`.',
    tags: ['shares'],
    auth: 'public',
    params: linkParams,
    encodedSlashes: true,
    query: linkQuery,
    errors: [tooManyMissesError],
    answers: {
      200: { description: 'The page.', contentType: 'text/html', example: '<!doctype html>…' },
      404: { description: 'The link does not work.', contentType: 'text/html' },
    },
    async handle({ params, headers, address, signal }) {
      const language = languageOf(headers['accept-language'])
      const ownOrigins = originsOf(urls)
      return answerLink(parts, { what: 'page', secret: params.id, headers, address, signal }, async ({ share, owner }) => {
        const common = { status: 200, headers: pageHeaders, contentType: 'text/html; charset=utf-8' } as const
        const hold = await downloads.acquire(holderOf({ address }), 1, { signal })
        let isSent = false
        try {
          if (share.kind === 'chat') {
            const snapshot = await snapshots.get(share.id)
            if (!snapshot) return undefined
            const stream = onStreamEnd(chatPage({ share, snapshot, secret: params.id, language, ownOrigins }), () => hold.release())
            isSent = true
            return { ...common, kind: 'stream', stream }
          }
          const file = await files.open({ owner, place: placeOf(share), signal })
          if (!file) return undefined
          try {
            const html = await filePage({ file, share, secret: params.id, language, ownOrigins, signal })
            return { ...common, kind: 'bytes', bytes: Buffer.from(html) }
          } finally {
            await file.close()
          }
        } finally {
          if (!isSent) hold.release()
        }
      })
    },
  })
}
