import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import { createSystemClock } from '../../clock/index.js'
import { quietLog } from '../../database/testing/test-database.js'
import { createFileAccess } from '../../files/file-access.js'
import { createFileRoutes } from '../../files/file-routes.js'
import { filesWithoutLimit } from '../../files/testing/files-without-limit.js'
import { createQuotas } from '../../quotas/index.js'
import { type AuthUnderTest, openAuthUnderTest, permitAll } from './auth-under-test.js'
import { type AuthServer, startAuthServer } from './start-auth-server.js'

/** Accounts with files, over HTTP. */
export interface FilesServer extends AuthServer {
  readonly auth: AuthUnderTest
  /** `users` of the data folder; absolute. */
  readonly usersFolder: string
  /** Puts a file below a user's folder; gives its absolute path. */
  put(handle: string, place: string, content: string | Uint8Array): Promise<string>
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

/** Starts it over an empty store and an empty folder. Its clock is controlled; stores are ended by `endTestStores`. */
export async function startFilesServer(policies: Pick<PolicyService, 'isAuthorized'> = permitAll): Promise<FilesServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-files-'))
  const usersFolder = path.join(folder, 'users')
  await mkdir(usersFolder)
  const files = filesWithoutLimit(usersFolder)
  const access = createFileAccess({ files, policies: () => policies })
  const auth = await openAuthUnderTest({ usersFolder, fileAccess: access })
  const server = await startAuthServer(auth, [
    ...auth.routes,
    ...createFileRoutes({ files, access, quotas: createQuotas({ clock: createSystemClock(), log: quietLog }) }),
    ...otherRoutes,
  ])
  return {
    ...server,
    auth,
    usersFolder,
    async put(handle, place, content) {
      const file = path.join(usersFolder, handle, place)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, content)
      return file
    },
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
    async close() {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
