import { noActor } from '@agent-service/kernel-core/audit'
import { endTestStores } from '@agent-service/kernel-core/events/testing'
import { expect } from 'chai'
import { decodeJwt } from 'jose'
import { credentialDenials } from '../records/records.js'
import { type FilesServer, startFilesServer } from '../testing/start-files-server.js'

const day = 86_400_000

describe('pre-signed URLs', () => {
  let server: FilesServer
  let ada: string
  let bob: string
  let bobId: string

  const get = async (target: string, init?: Parameters<FilesServer['fetch']>[1]) => {
    const answer = await server.fetch(target, init)
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }
  const send = async (method: string, path: string, token: string, json?: unknown) => {
    const body = json === undefined ? {} : { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } }
    const answer = await server.fetch(path, { method, token, ...body })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as { readonly [name: string]: unknown } }
  }
  const personalToken = async (token: string, more: object = {}): Promise<{ readonly id: string; readonly token: string }> => {
    const principal = await server.auth.principal(token)
    return (await server.auth.call('createToken', { principal, body: { name: 'script', ...more } })).json as never
  }

  beforeEach(async () => {
    server = await startFilesServer()
    ada = (await server.auth.register('ada')).access_token
    const account = await server.auth.register('bob')
    bob = account.access_token
    bobId = account.user.id
    server.put('bob', 'files/report.pdf', 'the report')
    server.put('bob', 'files/größe & co?.txt', 'odd')
    server.put('bob', 'workspaces/agent-1/out/notes.md', 'notes')
    server.put('ada', 'files/report.pdf', 'not for bob')
  })
  afterEach(async () => {
    await server.close()
    await endTestStores()
  })

  it('give the file to whoever has them, at the public address, for as long as is set', async () => {
    for (const [place, content] of [
      ['files/report.pdf', 'the report'],
      ['files/größe & co?.txt', 'odd'],
      ['workspaces/agent-1/out/notes.md', 'notes'],
    ] as const) {
      const { target, expiresAt } = await server.presign(bob, place)
      expect(expiresAt).to.equal(server.auth.clock.now() + day)
      expect(await get(target), place).to.include({ status: 200, text: content })
    }
    const made = await send('POST', '/api/files/presign', bob, { path: 'files/report.pdf' })
    expect(made.body['url']).to.match(/^http:\/\/localhost:3001\/api\/files\/content\?path=files\/report\.pdf&presign=[\w.-]+$/)
  })

  it('are not confirmed, though a confirmed session made them', async () => {
    expect((await server.auth.confirm(bob)).confirmed).to.equal(true)
    const { target: whole } = await server.presign(bob, 'files/report.pdf')
    const [target = '', token = ''] = whole.split('&presign=')
    const proven = await server.auth.authenticator.authenticate({ presigned: { method: 'GET', target, token }, cookies: {} })
    proven?.release()
    expect(proven?.principal).to.include({ username: 'bob' }).and.not.have.any.keys('confirmed', 'sessionId')
  })

  it('9.2.1 end at their time, exactly', async () => {
    const { target } = await server.presign(bob, 'files/report.pdf')
    await server.auth.clock.advance(day - 1)
    expect((await get(target)).status).to.equal(200)
    await server.auth.clock.advance(1)
    expect((await get(target)).status).to.equal(401)
  })

  it('are for one method: GET is good for HEAD, HEAD is good for nothing else', async () => {
    const both = (await server.presign(bob, 'files/report.pdf', 'GET')).target
    const head = (await server.presign(bob, 'files/report.pdf', 'HEAD')).target
    expect((await get(both, { method: 'HEAD' })).status).to.equal(200)
    expect((await get(head, { method: 'HEAD' })).status).to.equal(200)
    expect((await get(head)).status).to.equal(401)
    for (const method of ['POST', 'PATCH']) expect((await get(both, { method })).status).to.equal(405)
    for (const method of ['PUT', 'DELETE']) expect((await get(both, { method })).status).to.equal(401)
  })

  it('are for one file of one owner, and for nothing else of the service', async () => {
    const { target } = await server.presign(bob, 'files/report.pdf')
    const presign = target.slice(target.indexOf('presign='))
    expect((await get(`/api/files/content?path=workspaces/agent-1/out/notes.md&${presign}`)).status).to.equal(401)
    expect((await get(`/api/files/content?${presign}`)).status).to.equal(401)
    for (const path of ['/api/things', '/api/watch', '/api/auth/me', '/api/auth/tokens']) {
      await server.auth.clock.advance(1_000)
      expect((await get(`${path}?${presign}`)).status, path).to.equal(401)
    }
    const made = await server.fetch(`/api/files/presign?${presign}`, { method: 'POST', body: '{"path":"files/report.pdf"}' })
    expect(made.status).to.equal(401)
  })

  it('let a bearer decide alone, and are good beside any cookie and the password of a proxy', async () => {
    const { target } = await server.presign(bob, 'files/report.pdf')
    expect((await get(target, { token: ada })).text).to.equal('not for bob')
    expect((await get(target, { token: 'nonsense' })).status).to.equal(401)
    expect((await get(target, { headers: { authorization: 'Basic YTpi' } })).text).to.equal('the report')
    expect((await get(target, { headers: { authorization: 'Basic YTpi, Bearer nonsense' } })).status).to.equal(401)
    const { cookie = '' } = await server.auth.call('login', { body: { username: 'ada', password: 'ada-secret-1' } })
    const own = cookie.split(';')[0] ?? ''
    for (const value of [own, 'refresh_token=stale'])
      expect((await get(target, { headers: { cookie: value } })).text).to.equal('the report')
  })

  it('end one by one: at once, once, and by their owner alone', async () => {
    const [one, two] = [await server.presign(bob, 'files/report.pdf'), await server.presign(bob, 'files/report.pdf')]
    expect((await send('DELETE', `/api/files/presign/${one.id}`, ada)).status).to.equal(404)
    expect((await get(one.target)).status).to.equal(200)
    expect((await send('DELETE', `/api/files/presign/${one.id}`, bob)).status).to.equal(204)
    expect([(await get(one.target)).status, (await get(two.target)).status]).to.deep.equal([401, 200])
    expect((await send('DELETE', `/api/files/presign/${one.id}`, bob)).status).to.equal(404)
    for (const id of [
      'nothing',
      '0199a3f0-6f1c-7c3e-9d0a-4a3c1f0f8b52',
      two.id.toUpperCase(),
      `${two.id.slice(0, -1)}${two.id.endsWith('0') ? 1 : 0}`,
    ])
      expect((await send('DELETE', `/api/files/presign/${id}`, bob)).status, id).to.equal(404)
    const kept = () => server.auth.store.stored(credentialDenials)
    expect(await kept()).to.have.length(1)
    await server.auth.clock.advance(day + 2_000)
    for (const job of server.auth.jobs) await job.run({ signal: new AbortController().signal, epoch: 1 })
    expect(await kept()).to.deep.equal([])
  })

  it('end all together, those of their owner alone', async () => {
    const [one, two, other] = [
      await server.presign(bob, 'files/report.pdf'),
      await server.presign(bob, 'workspaces/agent-1/out/notes.md'),
      await server.presign(ada, 'files/report.pdf'),
    ]
    expect((await send('DELETE', '/api/files/presign', bob)).status).to.equal(204)
    const statuses = await Promise.all([one, two, other].map(async ({ target }) => (await get(target)).status))
    expect(statuses).to.deep.equal([401, 401, 200])
    expect((await send('DELETE', `/api/files/presign/${one.id}`, bob)).status).to.equal(404)
    expect((await get((await server.presign(bob, 'files/report.pdf')).target)).status).to.equal(200)
  })

  it('notes who ended them in the audit log', async () => {
    const { id } = await server.presign(bob, 'files/report.pdf')
    await send('DELETE', `/api/files/presign/${id}`, bob)
    await send('DELETE', '/api/files/presign', bob)
    const { items } = (await server.auth.call('listAuditEvents', { query: {} })).json as {
      readonly items: readonly { readonly kind: string }[]
    }
    const [all, one] = items
    expect([all, one]).to.have.nested.property('[0].kind', 'presigned_urls.revoked')
    expect(one).to.deep.include({ kind: 'presigned_url.revoked', actor_id: bobId, subject_id: bobId, details: { presign_id: id } })
  })

  for (const [what, end] of [
    ['is disabled', () => server.auth.administration.change(bobId, { disabled: true }, noActor)],
    ['is deleted', () => server.auth.administration.delete(bobId, noActor)],
    ['gets a new password', () => server.auth.administration.change(bobId, { password: 'battery staple' }, noActor)],
  ] as const) {
    it(`7.4.2 end at once when the owner ${what}, for good`, async () => {
      const { target } = await server.presign(bob, 'files/report.pdf')
      await end()
      expect((await get(target)).status).to.equal(401)
      if (what === 'is disabled') await server.auth.administration.change(bobId, { disabled: false }, noActor)
      expect((await get(target)).status).to.equal(401)
    })
  }

  it('outlive the session that made them: a person may sign out', async () => {
    const { target } = await server.presign(bob, 'files/report.pdf')
    const { sessionId } = await server.auth.principal(bob)
    await server.auth.sessions.end(String(sessionId), '192.0.2.7')
    expect((await get(target)).status).to.equal(200)
  })

  it('end with the personal access token that made them, at its time or when it is revoked', async () => {
    const short = await personalToken(bob, { expires_in_days: 1 })
    await server.auth.clock.advance(day / 2)
    bob = (
      (await server.auth.call('login', { body: { username: 'bob', password: 'bob-secret-1' } })).json as { readonly access_token: string }
    ).access_token
    const made = await server.presign(short.token, 'files/report.pdf')
    expect(made.expiresAt).to.equal(server.auth.clock.now() + day / 2)
    const long = await personalToken(bob)
    const { target, expiresAt } = await server.presign(long.token, 'files/report.pdf')
    expect(expiresAt).to.equal(server.auth.clock.now() + day)
    expect((await get(target)).status).to.equal(200)
    await server.auth.call('revokeToken', { principal: await server.auth.principal(bob), params: { token_id: long.id } })
    expect((await get(target)).status).to.equal(401)
  })

  it('are not made with a token that may not read', async () => {
    const { token } = await personalToken(bob, { scopes: ['write'] })
    expect((await send('POST', '/api/files/presign', token, { path: 'files/report.pdf' })).status).to.equal(403)
  })

  it('last no longer than the ephemeral token that made them, and end with its grant; it ends none itself', async () => {
    const grant = await server.auth.ephemeralTokens.issue({ userId: bobId, actor: { kind: 'agent', id: 'a1', purpose: 'sandbox' } })
    await server.auth.clock.advance(100_500)
    const { target, expiresAt, id } = await server.presign(grant.token, 'files/report.pdf')
    expect(expiresAt).to.be.within(server.auth.clock.now(), grant.expiresAt)
    expect((await get(target)).status).to.equal(200)
    for (const path of [`/api/files/presign/${id}`, '/api/files/presign'])
      expect(await send('DELETE', path, grant.token)).to.have.nested.property('body.code', 'people_only')
    expect((await get(target)).status).to.equal(200)
    await server.auth.ephemeralTokens.revoke(bobId, grant.grantId)
    expect((await get(target)).status).to.equal(401)
  })

  it('say nothing about the file but a digest', async () => {
    const { target } = await server.presign(bob, 'files/report.pdf')
    const claims = decodeJwt(target.slice(target.indexOf('presign=') + 8))
    expect(JSON.stringify(claims)).not.to.contain('report')
    expect(claims).to.include({ aud: 'agent-service:presign', sub: bobId, typ: 'presign', method: 'GET' })
  })
})
