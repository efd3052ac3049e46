import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, type RouteRequest, type RouteResponse } from '@agent-service/sdk/contracts/http-route'
import type { Urls } from '@agent-service/sdk/services/urls'
import type { KindRegistry } from '../kinds/kind-registry.js'
import type { Preferences } from '../kinds/preferences.js'
import { type Unsubscribe, unsubscribePath } from '../unsubscribe/unsubscribe-links.js'
import { languageOf, unsubscribePage } from '../unsubscribe/unsubscribe-page.js'

const tags = ['notifications']
const params = Type.Object({ token: Type.String({ minLength: 1, maxLength: 1_000 }) })
const path = `${unsubscribePath}/{token}`
const answers = {
  200: { description: 'A page for people.', contentType: 'text/html' },
  404: { description: 'The link is not valid: a page for people.', contentType: 'text/html' },
}

/** The link at the end of an e-mail (RFC 8058): GET asks, POST ends the e-mails of this kind. */
export function createUnsubscribeRoutes(dependencies: {
  readonly unsubscribe: Unsubscribe
  readonly preferences: Pick<Preferences, 'endMail'>
  readonly kinds: Pick<KindRegistry, 'get'>
  readonly urls: Pick<Urls, 'page'>
}): readonly HttpRoute[] {
  const { unsubscribe, preferences, kinds, urls } = dependencies
  const answer = async (request: RouteRequest<{ readonly token: string }>, acts: boolean): Promise<RouteResponse> => {
    const language = languageOf(request.headers['accept-language'])
    const home = urls.page('/notifications')
    const found = await unsubscribe.read(request.params.token)
    if (!found) return unsubscribePage({ language, home, state: 'invalid', kind: '' })
    if (acts) await preferences.endMail(found.userId, found.kind)
    const title = kinds.get(found.kind)?.title
    return unsubscribePage({ language, home, state: acts ? 'done' : 'ask', kind: title?.[language] ?? title?.en ?? found.kind })
  }
  return [
    defineRoute({
      method: 'GET',
      path,
      operationId: 'showUnsubscribe',
      summary: 'Ask whether e-mails of a kind shall end',
      description: 'The link at the end of an e-mail. Changes nothing, because programs open links too.',
      tags,
      auth: 'public',
      params,
      answers,
      handle: (request) => answer(request, false),
    }),
    defineRoute({
      method: 'POST',
      path,
      operationId: 'unsubscribe',
      summary: 'End the e-mails of a kind',
      description:
        'For the button of that page, and for e-mail programs (RFC 8058). What the link stands for is in the link; the body is ignored.',
      tags,
      auth: 'public',
      params,
      answers,
      handle: (request) => answer(request, true),
    }),
  ]
}
