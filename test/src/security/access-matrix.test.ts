import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { ephemeralTokensToken, urlsToken } from '@agent-service/kernel/testing/tokens'
import { expect } from 'chai'
import { sampleOf } from '../bad-input/support/bad-values.js'
import { expectProblem, notFoundCode } from '../bad-input/support/expect-problem.js'
import { type HostileTarget, startHostileTarget } from '../bad-input/support/hostile-target.js'
import { fillPath, fillUnknownIds, type Operation, readOperations } from '../bad-input/support/operations.js'
import { type RawAnswer, type RawRequest, requestBytes, sendBytes } from '../bad-input/support/raw-http.js'
import { type Api, signIn, signUp } from '../support/api.js'
import { type Caller, callers, declaredOutcome, type Outcome, renderAccessMatrix } from './support/access-matrix.js'

const page = fileURLToPath(new URL('../../../kernel/docs/access-matrix.md', import.meta.url))
const password = 'a long enough password'
const statuses: Readonly<Partial<Record<Outcome, number>>> = { unauthenticated: 401, not_found: 404 }

/** What a body needs that its schema does not say. */
const needed: Readonly<Record<string, object>> = {
  createMessage: { content: 'Hello' },
  replacePersonalCredentialFields: { fields: [{ name: 'token', value: 'a secret of Bob' }] },
  updateMemory: { pinned: true },
  updatePrompt: { title: 'Taken over' },
}

const isLenientRead = ({ method, path }: Operation): boolean => method === 'GET' && path.startsWith('/v1/')

describe('who may call what', function () {
  this.timeout(60_000)
  let target: HostileTarget
  let operations: readonly Operation[]
  let ada: Api
  let bob: Api
  let tokens: ReadonlyMap<Caller, string>
  let clients = 0

  before(async () => {
    target = await startHostileTarget()
    operations = await readOperations(target.url)
    ada = target.ada
    bob = await signUp(target.url, 'bob')
    const { token: actor } = await target.kernel.container
      .resolve(ephemeralTokensToken)
      .issue({ userId: target.admin.userId, actor: { kind: 'agent', id: 'agent-1', purpose: 'sandbox' } })
    tokens = new Map<Caller, string>([
      ['user', ada.token],
      ['another user', bob.token],
      ['read-only token', await tokenOf(ada, ['read'])],
      ['inference token', await tokenOf(ada, ['inference'])],
      ['ephemeral actor', actor],
      ['admin token', await tokenOf(target.admin, ['read', 'write', 'admin', 'inference'])],
      // One of its own: another of this admin’s may be confirmed.
      ['admin session', (await signIn(target.url, 'admin', password)).token],
      ['confirmed admin session', await confirmedAdmin()],
    ])
  })
  after(() => target?.close())

  const tokenOf = async (person: Api, scopes: readonly string[]): Promise<string> =>
    String((await person.request('POST', '/api/auth/tokens', { name: scopes.join(' '), scopes })).body['token'])

  /** A session of its own. */
  async function confirmedAdmin(): Promise<string> {
    const admin = await signIn(target.url, 'admin', password)
    const confirmed = await admin.request('POST', '/api/auth/confirm', { password })
    expect(confirmed.status, JSON.stringify(confirmed.body)).to.equal(200)
    return admin.token
  }

  /** Each from an address of its own. */
  const send = (method: string, path: string, request: RawRequest): Promise<RawAnswer> => {
    clients += 1
    return target.send(path, { method, ...request }, { from: `127.5.${clients >> 8}.${clients & 255 || 1}` })
  }
  /** As the programs of agents do. */
  const sendAsProgram = (method: string, path: string, request: RawRequest): Promise<RawAnswer> => {
    const { host, port } = target.kernel.container.resolve(urlsToken).listener()
    return sendBytes(`http://${host}:${port}`, requestBytes(path, { method, ...request }))
  }
  const shown = (answer: RawAnswer): string => {
    if (answer.status < 400) return String(answer.status)
    // The page of a link that does not work.
    if (answer.body.startsWith('<!doctype html>')) return `${answer.status} not_found`
    return `${answer.status} ${(JSON.parse(answer.body) as { readonly code: string }).code}`
  }

  it('8.1.1 is what the page of the documentation says', async () => {
    const text = renderAccessMatrix(operations)
    if (process.env['UPDATE_ACCESS_MATRIX'] === '1') await writeFile(page, text)
    const advice = 'Run UPDATE_ACCESS_MATRIX=1 npx mocha test/dist/security/access-matrix.test.js after a change of a route.'
    expect(await readFile(page, 'utf8'), advice).to.equal(text)
  })

  for (const caller of callers) {
    it(`8.2.1 is for ${caller} what the routes declare, in real requests`, async () => {
      const token = tokens.get(caller)
      const state = await target.state()
      for (const operation of operations) {
        const declared = declaredOutcome(operation, caller)
        // What is let in ends at a parameter that no route has: nothing is done. Below /v1 such parameters are ignored;
        // what changes something ends at its body there.
        const path = `${fillUnknownIds(operation.path)}?no_such_parameter=1`
        const ask = caller === 'ephemeral actor' ? sendAsProgram : send
        const answer = await ask(operation.method, path, { ...(token && { token }), ...(operation.hasBody && { body: '{"' }) })
        const what = `${operation.id} for ${caller}: ${shown(answer)}`
        if (declared === 'yes' || declared === 'not_found') {
          expect([401, 403], what).to.not.include(answer.status)
          if (operation.auth !== 'public') expect(answer.status, what).to.be.oneOf(isLenientRead(operation) ? [200, 404] : [400, 422])
          continue
        }
        const { status, code } = expectProblem(answer, what)
        expect([status, code], what).to.deep.equal([statuses[declared] ?? 403, declared])
      }
      expect(await target.state()).to.deep.equal(state)
    })
  }

  it('8.2.2 gives a user nothing of another one, whole and valid as the requests are', async () => {
    await send('PUT', '/api/files/content?path=files/a.txt', { token: ada.token, body: 'mine', headers: { 'Content-Type': 'text/plain' } })
    const kept = { name: 'github', title: 'GitHub', fields: [{ name: 'token', value: 'a secret of Ada' }] }
    const credential_id = String((await ada.request('POST', '/api/credentials', kept)).body['id'])
    const source = { kind: 'local', credential_id }
    const things = {
      ...target.own,
      credential_id,
      grant_id: String((await ada.request('POST', '/api/credentials/grants', { agent_id: target.own.agent_id, source })).body['id']),
      token_id: String((await ada.request('POST', '/api/auth/tokens', { name: 'kept' })).body['id']),
      session_id: (await itemsOf('/api/auth/sessions'))[0]?.id ?? '',
      presign_id: String((await ada.request('POST', '/api/files/presign', { path: 'files/a.txt' })).body['id']),
      memory_id: String((await ada.request('POST', '/api/memory', { text: 'Mine.' })).body['id']),
      task_id: String((await ada.request('POST', '/api/tasks', { instruction: 'Mine.', due_at: '2999-01-01T00:00:00Z' })).body['id']),
      share_id: String((await ada.request('POST', '/api/shares', { path: 'files/a.txt' })).body['id']),
      prompt_id: String((await ada.request('POST', '/api/prompts', { command: 'mine', title: 'Mine', text: 'Mine.' })).body['id']),
      process_id: String((await ada.request('POST', '/api/sandbox/terminals', { agent_id: target.own.agent_id })).body['id']),
    }
    const owned = operations.filter((operation) => !operation.webSocket && declaredOutcome(operation, 'another user') === 'not_found')
    expect(owned.length).to.be.greaterThan(30)
    const before = await everything()
    for (const operation of owned) {
      const body =
        operation.bodySchema === undefined
          ? operation.hasBody
            ? { body: 'Taken over', headers: { 'Content-Type': 'application/octet-stream' } }
            : {}
          : { body: JSON.stringify({ ...Object(sampleOf(operation.bodySchema)), ...needed[operation.id] }) }
      const path = fillPath(operation.path, things)
      expect(shown(await send(operation.method, path, { token: bob.token, ...body })), `${operation.id} ${path}`).to.equal(
        `404 ${notFoundCode(path)}`,
      )
    }
    expect(await everything()).to.deep.equal(before)
    const { body: terminal } = await ada.request('GET', `/api/sandbox/processes/${things.process_id}`)
    expect(terminal['ended_at'], 'The terminal was stopped.').to.equal(null)
    const { body: memory } = await ada.request('GET', `/api/memory/${things.memory_id}`)
    expect(memory, 'The memory was changed.').to.include({ text: 'Mine.', pinned: false })
    const revoked = await send('DELETE', `/api/files/presign/${things.presign_id}`, { token: ada.token })
    expect(revoked.status, 'The URL was still there.').to.equal(204)
    const granted = await send('DELETE', `/api/credentials/grants/${things.grant_id}`, { token: ada.token })
    expect(granted.status, 'The grant was still there.').to.equal(204)
    const deleted = await send('DELETE', `/api/credentials/${credential_id}`, { token: ada.token })
    expect(deleted.status, 'The credential was still there.').to.equal(204)
  })

  const itemsOf = async (path: string) => (await ada.request('GET', path)).body['items'] as readonly { readonly id: string }[]
  const everything = async () => [
    await target.state(),
    (await itemsOf('/api/auth/tokens')).map(({ id }) => id),
    (await itemsOf('/api/auth/sessions')).map(({ id }) => id),
  ]

  it('8.1.1 lets nothing that acts for a person in where it manages accounts, or amounts to what is closed to it', () => {
    const byId = new Map(operations.map((operation) => [operation.id, operation]))
    const open = operations.filter(({ actors }) => actors.length > 0)
    expect(open.length).to.be.greaterThan(20)
    for (const { id, path, auth, actors, includes, session, confirmed } of open) {
      expect([id, session, confirmed, /^\/api\/(auth|admin)\//.test(path)]).to.deep.equal([id, false, false, false])
      expect(auth, id).to.equal(['getVersion', 'getApiDescription'].includes(id) ? 'public' : 'user')
      for (const included of includes) expect(byId.get(included)?.actors, `${id} includes ${included}`).to.include.members([...actors])
    }
    for (const { id, includes } of operations)
      expect(
        includes.filter((included) => !byId.has(included)),
        `${id} includes what is not served`,
      ).to.deep.equal([])
  })
})
