import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type CredentialsKernel, startCredentialsKernel, until } from '../credentials/support/credentials-kernel.js'
import { removeFolder } from '../support/service-process.js'
import { administration, type Step, type World } from './support/administration/index.js'
import type { AuditEntry } from './support/audit-entry.js'
import { type Answer, bearer, type Client, createClient, type SignedInPerson, usualPassword } from './support/clients.js'
import { createSecretSearch } from './support/secret-search.js'
import { writeUnseenPlugin } from './support/unseen-plugin.js'

interface Operation {
  readonly operationId: string
  readonly 'x-auth': string
  readonly 'x-scope'?: string
}

describe('the audit log of administration', function () {
  this.timeout(120_000)
  let plugins: string
  let service: CredentialsKernel
  let client: Client
  let admin: SignedInPerson
  let sessionId: string
  const known = new Map<string, string>()
  const secrets = new Map<string, string>([['the admin’s password', usualPassword]])
  const world = (): World => ({ service, client, admin, known, secrets })

  before(async () => {
    plugins = await mkdtemp(path.join(tmpdir(), 'agent-service-audited-'))
    const unseen = await writeUnseenPlugin(plugins)
    const apiKey = 'planted-key-of-a-connection-4711'
    secrets.set('the key of a connection', apiKey)
    service = await startCredentialsKernel({
      configuration(vendor) {
        const providers = { work: { provider: 'groq', api_key: apiKey, base_url: `${vendor.url}/v1` } }
        const file = { providers, models: {}, plugins: { sources: [unseen] } }
        return file
      },
    })
    client = createClient(service.kernel.url)
    admin = await client.signUp('root')
    const claims = JSON.parse(Buffer.from(admin.accessToken.split('.')[1] ?? '', 'base64url').toString('utf8')) as { readonly sid: string }
    sessionId = claims.sid
    // Some operations ask for a session that has just shown who it is.
    if (await offers('/api/auth/confirm'))
      await client.send('POST', '/api/auth/confirm', { headers: admin.authorization, body: { password: usualPassword } })
  })
  after(async () => {
    await service?.close()
    await removeFolder(plugins)
  })

  const description = async (): Promise<Readonly<Record<string, Readonly<Record<string, Operation>>>>> =>
    (await client.send('GET', '/api/openapi.json')).json['paths'] as Record<string, Record<string, Operation>>
  const offers = async (place: string): Promise<boolean> => Object.hasOwn(await description(), place)

  const operations = async (): Promise<readonly string[]> =>
    Object.entries(await description()).flatMap(([place, methods]) =>
      Object.values(methods)
        .filter((operation) => place.startsWith('/api/admin/') || operation['x-auth'] === 'admin' || operation['x-scope'] === 'admin')
        .map(({ operationId }) => operationId),
    )

  const entries = async (query = ''): Promise<readonly AuditEntry[]> => {
    const found: AuditEntry[] = []
    let cursor: unknown = null
    do {
      const more = typeof cursor === 'string' ? `&cursor=${encodeURIComponent(cursor)}` : ''
      const { json } = await client.send('GET', `/api/admin/audit?limit=200${query}${more}`, { headers: admin.authorization })
      found.push(...(json['items'] as readonly AuditEntry[]))
      cursor = json['next_cursor']
    } while (typeof cursor === 'string')
    return found
  }

  /**
   * Calls an operation, and gives the entries that are there since: of this request, and of none.
   */
  const perform = async (step: Step): Promise<{ readonly answer: Answer; readonly added: readonly AuditEntry[] }> => {
    const before = new Set((await entries()).map(({ id }) => id))
    const answer = await step.call(world())
    const fits = step.statuses ? step.statuses.includes(answer.status) : answer.status < 300
    expect(fits, `${answer.status} ${answer.text}`).to.equal(true)
    const requestId = answer.headers.get('x-request-id')
    const isItsOwn = (entry: AuditEntry): boolean => entry.request_id === requestId || entry.request_id === null
    return { answer, added: (await entries()).filter((entry) => !before.has(entry.id) && isItsOwn(entry)) }
  }

  it('is walked over every operation of administrators that the service describes', async () => {
    expect([...(await operations())].sort()).to.deep.equal(Object.keys(administration).sort())
  })

  for (const [operationId, step] of Object.entries(administration)) {
    it(`has ${step.noted === undefined ? 'nothing' : 'exactly its entry'} of ${operationId}`, async () => {
      const { answer, added } = await perform(step)
      const { noted } = step
      if (noted === undefined) return void expect(added).to.deep.equal([])
      const own = added.filter(({ kind }) => kind !== step.completed)
      expect(added.length - own.length).to.equal(step.completed === undefined ? 0 : 1)
      expect(own.map(({ kind }) => kind)).to.deep.equal([typeof noted === 'function' ? noted(answer) : noted])
      const [entry] = own
      if (!entry) throw new Error('There is no entry.')
      expect(entry).to.include({
        ...{ source: 'request', actor_id: admin.userId, session_id: sessionId, token_id: null, address: '127.0.0.1' },
        ...{ operation: operationId, request_id: answer.headers.get('x-request-id') },
      })
      step.check?.(entry, world(), answer)
    })
  }

  it('names the token where a program does it', async () => {
    const body = { name: 'script', scopes: ['read', 'write', 'admin'] }
    const made = await client.send('POST', '/api/auth/tokens', { headers: admin.authorization, body })
    const token = String(made.json['token'])
    secrets.set('the personal access token', token)
    const target = `/api/admin/budgets/${admin.userId}`
    const { headers } = await client.send('PUT', target, { headers: bearer(token), body: { period: 'day', limit_tokens: 5 } })
    const [entry] = (await entries('&kind=budget.set')).filter(({ request_id: id }) => id === headers.get('x-request-id'))
    expect(entry).to.include({ actor_id: admin.userId, session_id: null, token_id: made.json['id'], subject_id: admin.userId })
  })

  it('has who signed in where that went on without a request', async () => {
    const begun = await client.send('POST', '/api/admin/credentials/sign-in', {
      headers: admin.authorization,
      body: { brand: 'github-copilot' },
    })
    service.vendor.approveDevice(String(begun.json['user_code']))
    const signedIn = await until(
      async () => (await entries('&kind=credential.signed_in'))[0],
      (entry) => entry?.request_id === null,
    )
    expect(signedIn).to.include({ source: 'service', actor_id: admin.userId, session_id: null, operation: null, address: null })
  })

  it('keeps the id of an erased account, and none of its names', async () => {
    const about = `&subject_id=${known.get('bob') ?? ''}`
    const kept = await until(
      () => entries(about),
      (found) => !JSON.stringify(found).includes('"bob"'),
    )
    expect(kept.map(({ kind }) => kind)).to.have.members([
      ...['account.created', 'account.changed', 'budget.set', 'budget.removed', 'account.deleted'],
      ...['session.ended', 'sign_in.succeeded', 'session.ended'],
    ])
    expect(kept.at(-1)?.after).to.deep.equal({ role: 'user' })
  })

  it('answers by kind, by person and by time, a bounded page at a time', async () => {
    const all = await entries()
    const [last] = all
    const first = all.at(-1)
    if (!first || !last) throw new Error('Nothing was noted.')
    const ofKind = await entries('&kind=budget.set')
    expect(ofKind.map(({ id }) => id)).to.deep.equal(all.filter(({ kind }) => kind === 'budget.set').map(({ id }) => id))
    expect((await entries(`&actor_id=${admin.userId}`)).length).to.be.greaterThan(ofKind.length)
    expect((await entries(`&to=${first.at}`)).map(({ id }) => id)).to.deep.equal([])
    expect((await entries(`&from=${last.at}`)).map(({ id }) => id)).to.include(last.id)
    expect((await client.send('GET', '/api/admin/audit?limit=100000', { headers: admin.authorization })).status).to.equal(422)
  })

  it('holds no secret that was planted on the way', async () => {
    for (const token of service.vendor.accepted) secrets.set(`token ${secrets.size}`, token)
    for (const { code } of service.vendor.asked) if (code) secrets.set(`code ${secrets.size}`, code)
    expect(secrets.size).to.be.greaterThan(10)
    const search = createSecretSearch(new Map([...secrets].filter(([, secret]) => secret !== '')))
    const found = (await entries()).flatMap((entry) => search.inText(`${entry.kind} ${entry.id}`, JSON.stringify(entry)))
    expect(found).to.deep.equal([])
  })
})
