import { Type } from '@agent-service/sdk'
import {
  actorKinds,
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  type Principal,
} from '@agent-service/sdk/contracts/http-route'
import { type AuthUnderTest, openAuthUnderTest } from './auth-under-test.js'
import { type AuthServer, startAuthServer } from './start-auth-server.js'

/** Accounts with texts that have paths, over HTTP. */
export interface FilesServer extends AuthServer {
  readonly auth: AuthUnderTest
  /** Gives a user a text. */
  put(handle: string, place: string, text: string): void
  /** Asks for a pre-signed URL. */
  presign(token: string, place: string, method?: 'GET' | 'HEAD'): Promise<PresignedTarget>
}

/** A pre-signed URL without its origin. */
export interface PresignedTarget {
  readonly id: string
  readonly target: string
  readonly expiresAt: number
}

/** An ordinary route and a stream of events: the other places where a credential may be tried. */
const otherRoutes: readonly HttpRoute[] = [
  defineRoute({
    ...{ method: 'GET', path: '/api/things', operationId: 'listThings', summary: 'Who asks', auth: 'user', actors: ['agent'] },
    answers: { 200: { description: 'The principal.', contentType: 'application/json' } },
    async handle({ principal }) {
      return { status: 200, kind: 'bytes', contentType: 'application/json', bytes: Buffer.from(JSON.stringify(principal)) }
    },
  }),
  defineRoute({
    ...{
      method: 'GET',
      path: '/api/watch',
      operationId: 'watchThings',
      summary: 'Changes',
      auth: 'user',
      actors: ['agent'],
      streaming: true,
    },
    answers: { 200: { description: 'Changes.', contentType: 'text/event-stream' } },
    async handle() {
      return {
        status: 200,
        kind: 'events',
        events: (async function* () {
          yield { comment: 'nothing yet' }
        })(),
      }
    },
  }),
]

/**
 * A presignable route, and the one that makes URLs to it: what a plugin has for the files of users,
 * over texts in memory. `texts` by the handle of their owner and the path.
 */
function presignableRoutes(texts: ReadonlyMap<string, string>, { presignedUrls }: AuthUnderTest): readonly HttpRoute[] {
  const path = '/api/files/content'
  const query = Type.Object({ path: Type.String() })
  const textOf = (principal: Principal | undefined, place: string): Buffer => {
    const text = texts.get(`${principal?.handle}/${place}`)
    if (text === undefined) throw notFoundError.create({ what: 'file' })
    return Buffer.from(text)
  }
  const change = (method: 'PUT' | 'DELETE'): HttpRoute =>
    defineRoute({
      ...{ method, path, operationId: `${method.toLowerCase()}Text`, summary: 'A change of the same', auth: 'user', query },
      answers: { 204: { description: 'Nothing was done.' } },
      handle: async () => noContent(),
    })
  return [
    defineRoute({
      ...{ method: 'GET', path, operationId: 'getFileContent', summary: 'A text of the caller' },
      ...{ auth: 'user', actors: actorKinds, presignable: true, query },
      answers: { 200: { description: 'The text.', contentType: 'text/plain' } },
      async handle({ principal, query: { path: place } }) {
        const headers = { 'content-disposition': 'attachment' }
        return { status: 200, kind: 'bytes', contentType: 'text/plain', bytes: textOf(principal, place), headers }
      },
    }),
    change('PUT'),
    change('DELETE'),
    defineRoute({
      ...{ method: 'POST', path: '/api/files/presign', operationId: 'presignFile', summary: 'A URL to a text' },
      ...{ auth: 'user', actors: actorKinds, includes: ['getFileContent'], scope: 'read' },
      body: { kind: 'json', schema: Type.Object({ path: Type.String(), method: Type.Optional(Type.String()) }) },
      answers: { 200: { description: 'The URL.', schema: Type.Unknown() } },
      async handle({ principal, body }) {
        if (!principal) throw new Error('A route that requires a user was called without a principal.')
        textOf(principal, body.path)
        const target = `${path}?path=${encodeURIComponent(body.path).replaceAll('%2F', '/')}`
        const made = await presignedUrls.create(principal, { method: body.method === 'HEAD' ? 'HEAD' : 'GET', target })
        return ok({ id: made.id, url: made.url, expires_at: new Date(made.expiresAt).toISOString() })
      },
    }),
  ]
}

/** Starts it over an empty store. Its clock is controlled; stores are ended by `endTestStores`. */
export async function startFilesServer(): Promise<FilesServer> {
  const texts = new Map<string, string>()
  const auth = await openAuthUnderTest()
  const server = await startAuthServer(auth, [...auth.routes, ...presignableRoutes(texts, auth), ...otherRoutes])
  return {
    ...server,
    auth,
    put: (handle, place, text) => void texts.set(`${handle}/${place}`, text),
    async presign(token, place, method) {
      const body = JSON.stringify({ path: place, ...(method === undefined ? {} : { method }) })
      const answer = await server.fetch('/api/files/presign', {
        ...{ method: 'POST', token, body },
        headers: { 'content-type': 'application/json' },
      })
      if (answer.status !== 200) throw new Error(`No URL was made: ${answer.status} ${await answer.text()}`)
      const { id, url, expires_at } = (await answer.json()) as { readonly id: string; readonly url: string; readonly expires_at: string }
      return { id, target: url.slice(new URL(url).origin.length), expiresAt: Date.parse(expires_at) }
    },
  }
}
