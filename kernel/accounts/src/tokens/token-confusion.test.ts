import { endTestStores } from '@agent-service/kernel-core/events/testing'
import type { Principal } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { type FilesServer, startFilesServer } from '../testing/start-files-server.js'

const kinds = ['access token', 'refresh token', 'personal access token', 'ephemeral token', 'pre-signed URL'] as const
type Kind = (typeof kinds)[number]

/**
 * Every place that takes a credential, how it is put there, and the only kinds that count there.
 */
const places: Readonly<
  Record<string, { readonly taken: readonly Kind[]; readonly send: (server: FilesServer, token: string) => Promise<Response> }>
> = {
  'Authorization: Bearer': {
    taken: ['access token', 'personal access token', 'ephemeral token'],
    send: (server, token) => server.fetch('/api/things', { token }),
  },
  'Authorization: Bearer at a presignable route': {
    taken: ['access token', 'personal access token', 'ephemeral token'],
    send: (server, token) => server.fetch('/api/files/content?path=files/a.txt', { token }),
  },
  'Authorization: Bearer at a stream': {
    taken: ['access token', 'personal access token', 'ephemeral token'],
    send: (server, token) => server.fetch('/api/watch', { token }),
  },
  '?token= of a stream': {
    taken: ['access token'],
    send: (server, token) => server.fetch(`/api/watch?token=${encodeURIComponent(token)}`),
  },
  '?token= of an ordinary route': {
    taken: [],
    send: (server, token) => server.fetch(`/api/things?token=${encodeURIComponent(token)}`),
  },
  '?presign= of the route that it was made for': {
    taken: ['pre-signed URL'],
    send: (server, token) => server.fetch(`/api/files/content?path=files/a.txt&presign=${encodeURIComponent(token)}`),
  },
  '?presign= of an ordinary route': {
    taken: [],
    send: (server, token) => server.fetch(`/api/things?presign=${encodeURIComponent(token)}`),
  },
  '?presign= of a stream': {
    taken: [],
    send: (server, token) => server.fetch(`/api/watch?presign=${encodeURIComponent(token)}`),
  },
  'the cookie refresh_token': {
    taken: ['refresh token'],
    send: (server, token) => server.fetch('/api/things', { headers: { cookie: `refresh_token=${token}` } }),
  },
  'the cookie refresh_token at the refresh': {
    taken: ['refresh token'],
    send: (server, token) => server.fetch('/api/auth/refresh', { method: 'POST', headers: { cookie: `refresh_token=${token}` } }),
  },
}

describe('tokens of one kind where another is taken', () => {
  let server: FilesServer
  let tokens: Readonly<Record<Kind, string>>
  let userId: string

  before(async () => {
    server = await startFilesServer()
    const { auth } = server
    await auth.register('ada')
    server.put('ada', 'files/a.txt', 'hello')
  })
  beforeEach(async () => {
    const { auth } = server
    await auth.clock.advance(10_000)
    const { json, cookie } = await auth.call('login', { body: { username: 'ada', password: 'ada-secret-1' } })
    const { access_token: access, user } = json as { readonly access_token: string; readonly user: { readonly id: string } }
    userId = user.id
    const made = await auth.call('createToken', { principal: await auth.principal(access), body: { name: 'script' } })
    tokens = {
      'access token': access,
      'refresh token': /refresh_token=([^;]*)/.exec(cookie ?? '')?.[1] ?? '',
      'personal access token': (made.json as { readonly token: string }).token,
      'ephemeral token': (await auth.ephemeralTokens.issue({ userId, actor: { kind: 'agent', id: 'a1', purpose: 'sandbox' } })).token,
      'pre-signed URL': (await server.presign(access, 'files/a.txt')).target.split('presign=')[1] ?? '',
    }
  })
  after(async () => {
    await server.close()
    await endTestStores()
  })

  for (const [place, { taken, send }] of Object.entries(places)) {
    for (const kind of kinds) {
      const counts = taken.includes(kind)
      it(`9.2.2 9.2.3 9.2.4 ${counts ? 'take' : 'refuse'} the ${kind} in ${place}`, async () => {
        const answer = await send(server, tokens[kind])
        await answer.arrayBuffer()
        expect(answer.status).to.equal(counts ? 200 : 401)
      })
    }
  }

  it('9.2.2 9.2.3 have a type and an audience of their own each, and what they say is their own', async () => {
    const signed = (['access token', 'ephemeral token', 'pre-signed URL'] as const).map((kind) => tokens[kind])
    expect(new Set(signed.map((token) => decodeProtectedHeader(token).typ)).size).to.equal(3)
    expect(new Set(signed.map((token) => decodeJwt(token).aud)).size).to.equal(3)
    expect(new Set(signed.map((token) => decodeJwt(token)['typ'])).size).to.equal(3)
    const answer = await server.fetch('/api/things', { token: tokens['ephemeral token'] })
    const principal = (await answer.json()) as Principal
    expect(principal).to.deep.include({ userId, role: 'user', scopes: ['read', 'write', 'inference'] })
    expect(principal.actor).to.deep.equal({ kind: 'agent', id: 'a1', purpose: 'sandbox' })
    expect(principal).to.have.property('tokenId')
    expect(principal).not.to.have.property('sessionId')
  })
})
