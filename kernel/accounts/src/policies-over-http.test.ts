import { endTestStores } from '@agent-service/kernel-core/events/testing'
import { ContributionRegistry } from '@agent-service/kernel-core/plugins/contributions'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import { expect } from 'chai'
import { createAuditLog } from './audit/index.js'
import { openPolicies, type Policies, type PolicyRecord, policies as policyCollection, policyCollections } from './policy/index.js'
import { openShippedEngine, shippedResources } from './policy/testing/index.js'
import { type AuthUnderTest, openAuthUnderTest } from './testing/auth-under-test.js'
import { type AuthServer, startAuthServer } from './testing/start-auth-server.js'

const forbidEve = (id: string): string =>
  `forbid (principal == User::"${id}", action == Action::"call", resource == Route::"getOwnProfile");`
const permit = 'permit (principal is User, action == Action::"call", resource == Route::"listUsers");'

/** Every route of policies that takes a body, with one that holds. */
const endpoints: readonly {
  readonly method: string
  readonly path: string
  readonly body: JsonObject
  readonly required: readonly string[]
}[] = [
  { method: 'POST', path: '', body: { text: permit, description: 'x', enabled: true }, required: ['text'] },
  { method: 'PUT', path: '/{stored}', body: { text: permit, description: 'x', enabled: true }, required: ['text'] },
  { method: 'POST', path: '/check', body: { text: permit }, required: ['text'] },
  {
    method: 'POST',
    path: '/explain',
    body: { principal: { type: 'User', id: 'x' }, action: 'call', resource: { type: 'Route', id: 'x' }, context: {} },
    required: ['principal', 'action', 'resource'],
  },
]

function* badBodies(body: JsonObject, required: readonly string[]): Generator<readonly [string, string]> {
  for (const name of required) {
    const { [name]: _missing, ...rest } = body
    yield [`without ${name}`, JSON.stringify(rest)]
  }
  for (const [name, value] of Object.entries(body)) {
    yield [`${name} null`, JSON.stringify({ ...body, [name]: null })]
    const wrong: readonly JsonValue[] = [true, 7, 1e300, 'x', [], [['x']]]
    for (const other of wrong.filter((each) => typeof each !== typeof value || Array.isArray(each) !== Array.isArray(value)))
      yield [`${name} ${JSON.stringify(other)}`, JSON.stringify({ ...body, [name]: other })]
  }
  for (const name of ['id', 'source', 'effect', 'constructor', 'created_at'])
    yield [`with ${name}`, `${JSON.stringify(body).slice(0, -1)},${JSON.stringify(name)}:"x"}`]
  for (const text of [
    '',
    'null',
    '[]',
    '"x"',
    '7',
    '{',
    '{"text":"\\ud800"',
    '{"text":""}',
    `{"text":${JSON.stringify('x'.repeat(16_385))}}`,
  ])
    yield [`the body ${text.slice(0, 40)}`, text]
  yield ['a body of over 1 MiB', JSON.stringify({ ...body, padding: 'x'.repeat(1_100_000) })]
}

describe('policies over HTTP', () => {
  let auth: AuthUnderTest
  let policies: Policies
  let engine: Awaited<ReturnType<typeof openShippedEngine>>
  let server: AuthServer
  let ada: { readonly token: string; readonly id: string }
  let eve: { readonly token: string; readonly id: string }
  let stored: string

  before(async () => {
    let rolesChanged = (): void => undefined
    auth = await openAuthUnderTest({ onRolesChanged: () => rolesChanged() })
    const { clock, store, log } = auth
    const database = await store.kernelDatabase.openFor('kernel', policyCollections)
    engine = await openShippedEngine()
    const contributions = new ContributionRegistry(clock, log)
    contributions.admit('policy-cedar', [{ point: policyEngines.id, key: engine.engine.id, value: engine.engine }])
    policies = openPolicies({
      ...{ contributions, missingEngineReason: () => 'no plugin has an engine' },
      ...{ database, kernelDatabase: store.kernelDatabase, clock, log, accounts: auth.directory, resources: shippedResources() },
      audit: createAuditLog({ database: store.database, clock }),
      servedRoutes: () => [...auth.routes, ...policies.routes].map((route) => ({ route })),
    })
    rolesChanged = () => policies.rolesChanged()
    server = await startAuthServer(auth, [...auth.routes, ...policies.routes], {}, policies.routeAccess)
    const person = async (name: string): Promise<typeof ada> => {
      const { access_token, user } = await auth.register(name)
      return { token: access_token, id: user.id }
    }
    ada = await person('ada')
    eve = await person('eve')
  })
  after(async () => {
    await server.close()
    await policies.close()
    await engine.close()
    await endTestStores()
  })
  beforeEach(async () => {
    stored = await create(permit, false)
  })
  afterEach(async () => {
    for (const { id, source } of (await page('?limit=200')).items) if (source === 'stored') await send('DELETE', `/${id}`)
  })

  const send = async (method: string, path = '', body?: string, token = ada.token): Promise<{ status: number; json: JsonObject }> => {
    await auth.clock.advance(200)
    const answer = await server.fetch(path.startsWith('/api/') ? path : `/api/admin/policies${path}`, {
      ...{ method, token },
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    })
    const text = await answer.text()
    return { status: answer.status, json: text === '' ? {} : (JSON.parse(text) as JsonObject) }
  }
  const create = async (text: string, enabled = true): Promise<string> => {
    const { status, json } = await send('POST', '', JSON.stringify({ text, enabled }))
    expect(status, JSON.stringify(json)).to.equal(201)
    return String(json['id'])
  }
  const page = async (query = '') =>
    (await send('GET', query)).json as unknown as {
      readonly items: readonly { readonly id: string; readonly source: string; readonly text: string }[]
      readonly next_cursor: string | null
    }

  it('let users and admins call what their role reaches, route by route', async () => {
    for (const route of [...auth.routes, ...policies.routes].filter(
      ({ method, path, auth: level }) => method === 'GET' && level !== 'public' && !path.includes('{'),
    )) {
      const asUser = await send('GET', route.path, undefined, eve.token)
      const asAdmin = await send('GET', route.path)
      expect([route.path, asUser.status]).to.deep.equal([route.path, route.auth === 'admin' ? 403 : 200])
      expect([route.path, asAdmin.status]).to.deep.equal([route.path, 200])
    }
    expect((await server.fetch('/api/admin/policies')).status).to.equal(401)
  })

  it('act from the answer on; the caller is told that it is forbidden, the operator by what', async () => {
    expect((await send('GET', '/api/auth/me', undefined, eve.token)).status).to.equal(200)
    const id = await create(forbidEve(eve.id).replace('getOwnProfile', operationOf('/api/auth/me')))
    const { status, json } = await send('GET', '/api/auth/me', undefined, eve.token)
    expect([status, json['code']]).to.deep.equal([403, 'forbidden'])
    expect(JSON.stringify(json)).to.not.include(id)
    const line = auth.log.lines.find(({ message }) => message === 'A policy forbade a call.')
    expect(line?.fields).to.deep.include({ user_id: eve.id, policies: [id] })
    expect((await send('DELETE', `/${id}`)).status).to.equal(204)
    expect((await send('GET', '/api/auth/me', undefined, eve.token)).status).to.equal(200)
  })
  const operationOf = (path: string): string =>
    auth.routes.find((route) => route.path === path && route.method === 'GET')?.operationId ?? ''

  it('follow a role the moment it changes', async () => {
    expect((await send('GET', '', undefined, eve.token)).status).to.equal(403)
    await auth.confirm(ada.token)
    await send('PATCH', `/api/admin/users/${eve.id}`, '{"role":"admin"}')
    expect((await send('GET', '', undefined, eve.token)).status).to.equal(200)
    await send('PATCH', `/api/admin/users/${eve.id}`, '{"role":"user"}')
    expect((await send('GET', '', undefined, eve.token)).status).to.equal(403)
  })

  it('give nobody an account or the role of an admin, also not to who has confirmed', async () => {
    const permitted = ['changeUser', 'createUser', 'deleteUser', 'listUsers'].map((id) => `Route::"${id}"`).join(', ')
    await create(`permit (principal == User::"${eve.id}", action == Action::"call", resource) when { [${permitted}].contains(resource) };`)
    expect((await send('GET', '/api/admin/users', undefined, eve.token)).status).to.equal(200)
    await auth.confirm(eve.token)
    for (const [method, path, body] of [
      ['PATCH', `/api/admin/users/${eve.id}`, '{"role":"admin"}'],
      ['PATCH', `/api/admin/users/${ada.id}`, '{"password":"a long enough password"}'],
      ['POST', '/api/admin/users', '{"username":"mallory","password":"a long enough password","role":"admin"}'],
    ] as const) {
      const { status, json } = await send(method, path, body, eve.token)
      expect([method, path, status, json['code']]).to.deep.equal([method, path, 403, 'forbidden'])
    }
    expect((await auth.accounts.get(eve.id))?.role).to.equal('user')
    expect((await send('PATCH', `/api/admin/users/${eve.id}`, '{}', eve.token)).status, 'the rest is as permitted').to.equal(200)
  })

  it('are listed in pages, shown, replaced, and refused with line and column', async () => {
    await create(permit, false)
    const shipped = (await page()).items.filter(({ source }) => source === 'shipped').length
    const first = await page(`?limit=${shipped + 1}`)
    expect(first.items.map(({ source }) => source)).to.deep.equal([...Array.from({ length: shipped }, () => 'shipped'), 'stored'])
    const second = await page(`?limit=${shipped + 1}&cursor=${first.next_cursor}`)
    expect([second.items.length, second.next_cursor]).to.deep.equal([1, null])
    const shown = await send('GET', `/${stored}`)
    expect(shown.json).to.include({ id: stored, source: 'stored', effect: 'permit', enabled: false, text: permit })
    const replaced = await send('PUT', `/${stored}`, JSON.stringify({ text: forbidEve('x'), description: 'Now a forbid.' }))
    expect(replaced.json).to.include({
      effect: 'forbid',
      enabled: true,
      description: 'Now a forbid.',
      created_at: shown.json['created_at'] as string,
    })
    const refused = await send('PUT', `/${stored}`, JSON.stringify({ text: 'permit (principal,\n  action resource);' }))
    expect([refused.status, refused.json['code']]).to.deep.equal([422, 'policy_invalid'])
    expect(refused.json)
      .to.have.nested.property('errors[0].message')
      .that.matches(/^line 2, column 10: /)
    expect((await send('GET', '/none')).status).to.equal(404)
    expect((await send('DELETE', '/admins-call-every-route')).json['code']).to.equal('policy_read_only')
    expect((await send('POST', '', JSON.stringify({ text: 'forbid (principal, action, resource);' }))).json['code']).to.equal(
      'policy_locks_out',
    )
  })

  it('are checked without being stored, and explained', async () => {
    const before = (await page()).items.length
    const checked = await send('POST', '/check', JSON.stringify({ text: 'permit (principal is Usr, action, resource);' }))
    expect(checked.json).to.have.nested.property('problems[0]').that.deep.includes({ line: 1, column: 22 })
    expect((await send('POST', '/check', JSON.stringify({ text: permit }))).json).to.deep.equal({ problems: [], warnings: [] })
    expect((await page()).items).to.have.length(before)
    const question = (id: string) => ({ principal: { type: 'User', id }, action: 'call', resource: { type: 'Route', id: 'listUsers' } })
    const explained = await send('POST', '/explain', JSON.stringify(question(ada.id)))
    expect(explained.json).to.deep.include({ decision: 'allow', errors: [] })
    expect(explained.json).to.have.nested.property('policies[0].id', 'admins-call-every-route')
    expect((await send('POST', '/explain', JSON.stringify(question(eve.id)))).json).to.deep.equal({
      decision: 'deny',
      policies: [],
      errors: [],
    })
    for (const path of ['/check', '/explain']) expect((await send('POST', path, '{}', eve.token)).status).to.equal(403)
  })

  for (const { method, path, body, required } of endpoints)
    it(`${method} /api/admin/policies${path} refuses bad input with a problem, and changes nothing`, async () => {
      const held = async (): Promise<string> => JSON.stringify(await auth.store.stored<PolicyRecord>(policyCollection))
      const before = await held()
      for (const [what, text] of badBodies(body, required)) {
        const answer = await send(method, path.replace('{stored}', stored), text)
        expect(answer.status, `${what}: ${JSON.stringify(answer.json)}`).to.be.within(400, 422)
        expect(answer.json['code'], what).to.be.a('string')
      }
      expect(await held()).to.equal(before)
    })
})
