import { Type } from '@agent-service/sdk'
import { type Actor, actorKinds, defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { startTestServer, type TestServer, testPrincipal } from '../testing/start-test-server.js'

const route = (
  name: string,
  more: Partial<Pick<HttpRoute, 'auth' | 'actors' | 'scope' | 'session' | 'confirmed' | 'foreign'>> = {},
): HttpRoute =>
  defineRoute({
    method: 'GET',
    path: `/api/${name}`,
    operationId: name,
    summary: 'For tests',
    auth: 'user',
    ...more,
    answers: { 200: { description: 'It.', schema: Type.Object({}) } },
    handle: async () => ok({}),
  })

const actorOf = (kind: Actor['kind']): Actor => ({ kind, id: 'a1', purpose: 'sandbox' })

describe('an actor', () => {
  let server: TestServer
  before(async () => {
    const routes = [
      route('unsaid'),
      route('nobody', { actors: [] }),
      route('agents', { actors: ['agent'] }),
      route('everything', { actors: actorKinds }),
      route('open', { auth: 'public' }),
      route('openToAgents', { auth: 'public', actors: ['agent'] }),
      route('signedIn', { session: true }),
      route('either', { actors: actorKinds, scope: ['inference', 'write'] }),
    ]
    server = await startTestServer({ routes })
    server.authenticator.grant('person', testPrincipal())
    server.authenticator.grant('session', testPrincipal({ sessionId: 's1' }))
    server.authenticator.grant('program', testPrincipal({ tokenId: 't1' }))
    server.authenticator.grant('reader', testPrincipal({ tokenId: 't2', scopes: ['read'] }))
    server.authenticator.grant('inferring', testPrincipal({ tokenId: 't3', scopes: ['inference'] }))
    for (const kind of actorKinds) server.authenticator.grant(kind, testPrincipal({ actor: actorOf(kind) }))
  })
  after(() => server.close())

  const ask = async (name: string, token: string): Promise<string> => {
    const answer = await server.fetch(`/api/${name}`, { token })
    const { code } = (await answer.json()) as { readonly code?: string }
    return code === undefined ? String(answer.status) : `${answer.status} ${code}`
  }

  it('cannot call a route that does not name its kind', async () => {
    for (const kind of actorKinds) {
      expect(await ask('unsaid', kind), kind).to.equal('403 people_only')
      expect(await ask('nobody', kind), kind).to.equal('403 people_only')
      expect(await ask('agents', kind), kind).to.equal(kind === 'agent' ? '200' : '403 people_only')
      expect(await ask('everything', kind), kind).to.equal('200')
      expect(await ask('open', kind), kind).to.equal('403 people_only')
      expect(await ask('openToAgents', kind), kind).to.equal(kind === 'agent' ? '200' : '403 people_only')
    }
  })

  it('is refused with the operation, and a program of the person is not an actor', async () => {
    const answer = await server.fetch('/api/unsaid', { token: 'mcp_server' })
    expect(((await answer.json()) as { readonly detail: string }).detail).to.match(
      /^An MCP server that acts for a person may not call “unsaid”/,
    )
    for (const token of ['person', 'program']) expect(await ask('unsaid', token), token).to.equal('200')
  })

  it('has no session, and neither has a program of the person', async () => {
    expect(await ask('signedIn', 'session')).to.equal('200')
    expect(await ask('signedIn', 'program')).to.equal('403 session_required')
    expect(await ask('signedIn', 'agent')).to.equal('403 people_only')
  })

  it('cannot be permitted by a route that is only for people', () => {
    const refusals: readonly (readonly [HttpRoute, RegExp])[] = [
      [route('admin-things', { auth: 'admin', actors: ['agent'] }), /no actor is an admin/],
      [route('foreign-things', { auth: 'public', foreign: true, actors: ['agent'] }), /no credentials of the service/],
      [route('sure-things', { confirmed: true, actors: ['agent'] }), /only a person has a session/],
      [route('session-things', { session: true, actors: ['agent'] }), /only a person has a session/],
      [route('auth/things', { actors: ['agent'] }), /are only for people/],
      [route('admin/things', { actors: ['agent'] }), /are only for people/],
    ]
    for (const [wrong, why] of refusals)
      expect(() => server.table.add({ ...wrong, operationId: 'things' }, { id: 'kernel' }), wrong.path).to.throw(why)
  })

  it('needs one of the scopes of a route, like every principal', async () => {
    expect(await ask('either', 'inferring')).to.equal('200')
    expect(await ask('either', 'agent')).to.equal('200')
    expect(await ask('either', 'reader')).to.equal('403 forbidden')
  })
})
