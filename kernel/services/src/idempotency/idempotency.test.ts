import {
  createRecordingLogger,
  startTestServer,
  systemClock,
  type TestServer,
  testPrincipal,
} from '@agent-service/kernel-core/http/testing'
import { Type } from '@agent-service/sdk'
import { accepted, defineRoute } from '@agent-service/sdk/contracts/http-route'
import type { Database, StoredObject, Transaction } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { createIdempotency, createIdempotencyStore } from './index.js'

/**
 * One collection in memory with the operations that the store uses; transactions run one after the
 * other.
 */
function createMemoryDatabase(): Database & { readonly documents: Map<string, StoredObject> } {
  const documents = new Map<string, StoredObject>()
  const transaction: Transaction = {
    get: async <Document extends StoredObject>(_collection: unknown, id: string) => documents.get(id) as Document | undefined,
    find: () => Promise.reject(new Error('not used here')),
    insert: (_collection, document) => void documents.set(document.id, document),
    put: (_collection, document) => void documents.set(document.id, document),
    delete: (_collection, id) => void documents.delete(id),
  }
  let last: Promise<unknown> = Promise.resolve()
  const notUsed = () => Promise.reject(new Error('not used here'))
  return {
    documents,
    collection: ({ name }) => ({
      name,
      get: notUsed,
      getEntry: notUsed,
      find: notUsed,
      query: async () => ({ items: [] }),
      insert: notUsed,
      put: async (document) => {
        documents.set(document.id, document)
        return { document, revision: 1 }
      },
      delete: async (id) => documents.delete(id),
    }),
    shared: false,
    transaction(work) {
      const result = last.then(() => work(transaction))
      last = result.catch(() => undefined)
      return result
    },
  }
}

describe('Idempotency-Key', () => {
  let server: TestServer
  let runs = 0
  let gate: Promise<void> = Promise.resolve()
  const database = createMemoryDatabase()
  const store = createIdempotencyStore({ database, clock: systemClock, logger: createRecordingLogger([]) })
  const route = defineRoute({
    method: 'POST',
    path: '/api/jobs',
    operationId: 'startJob',
    summary: 'Job',
    auth: 'user',
    actors: ['agent'],
    idempotent: true,
    body: { kind: 'json', schema: Type.Object({ name: Type.String() }) },
    answers: { 202: { description: 'Started.', schema: Type.Object({ run: Type.Integer(), name: Type.String() }) } },
    handle: async ({ body }) => {
      runs++
      const run = runs
      await gate
      if (body.name === 'fail') throw new Error('no')
      return accepted({ run, name: body.name })
    },
  })
  before(async () => {
    server = await startTestServer({ routes: [route], idempotency: createIdempotency(store) })
    server.authenticator.grant('ada', testPrincipal())
    server.authenticator.grant('bob', testPrincipal({ userId: 'bob' }))
    server.authenticator.grant('program', testPrincipal({ actor: { kind: 'agent', id: 'a1', purpose: 'sandbox' } }))
  })
  after(() => server.close())
  beforeEach(() => {
    runs = 0
    gate = Promise.resolve()
  })

  const post = (key: string, name: string, token = 'ada') =>
    server.fetch('/api/jobs', {
      method: 'POST',
      token,
      body: JSON.stringify({ name }),
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    })

  it('replays the response, only for the same principal and body', async () => {
    const first = await post('key-1', 'a')
    const again = await post('key-1', 'a')
    expect([again.status, await again.json()]).to.deep.equal([first.status, await first.json()])
    expect(again.headers.get('idempotency-replayed')).to.equal('true')
    expect(runs).to.equal(1)
    const other = await post('key-1', 'b')
    expect([other.status, ((await other.json()) as { code: string }).code]).to.deep.equal([422, 'idempotency_key_reused'])
    expect((await (await post('key-1', 'a', 'bob')).json()) as object).to.deep.equal({ run: 2, name: 'a' })
    // Nor does a program of hers use up what she repeats.
    expect((await (await post('key-1', 'b', 'program')).json()) as object).to.deep.equal({ run: 3, name: 'b' })
  })

  it('stores no response that can be read without the key, and replays it in another process with the key', async () => {
    const first = await post('key-sealed', 'privatetext')
    expect(JSON.stringify([...database.documents.values()])).not.to.match(/privatetext|key-sealed/)
    expect(((await first.json()) as { readonly name: string }).name).to.equal('privatetext')
    expect((await (await post('key-sealed', 'privatetext')).json()) as object).to.deep.equal({ run: 1, name: 'privatetext' })
    const signal = new AbortController().signal
    const request = { scope: 's', key: 'sealed', digest: 'd', signal }
    const decision = await store.begin(request)
    if (decision.kind === 'run') await decision.finish({ status: 201, headers: { location: '/x' }, json: { text: 'privatetext' } })
    expect(JSON.stringify([...database.documents.values()])).not.to.include('privatetext')
    const elsewhere = createIdempotencyStore({ database, clock: systemClock, logger: createRecordingLogger([]) })
    expect(await elsewhere.begin(request)).to.deep.equal({
      kind: 'replay',
      answer: { status: 201, headers: { location: '/x' }, json: { text: 'privatetext' } },
    })
  })

  it('makes a second request wait for the first', async () => {
    let open: () => void = () => undefined
    gate = new Promise((resolve) => {
      open = resolve
    })
    const both = Promise.all([post('key-2', 'a'), post('key-2', 'a'), post('key-2', 'a')])
    const mismatch = await post('key-2', 'b')
    expect(mismatch.status).to.equal(422)
    open()
    const answers = await Promise.all((await both).map((answer) => answer.json()))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).to.equal(1)
    expect(runs).to.equal(1)
  })

  it('runs again after a failure of the service', async () => {
    expect((await post('key-3', 'fail')).status).to.equal(500)
    expect((await post('key-3', 'fail')).status).to.equal(500)
    expect(runs).to.equal(2)
  })

  it('is in progress while another process runs the request, until its lease expires', async () => {
    const signal = new AbortController().signal
    const elsewhere = createIdempotencyStore({ database, clock: systemClock, logger: createRecordingLogger([]) })
    const request = { scope: 's', key: 'k', digest: 'd', signal }
    expect((await elsewhere.begin(request)).kind).to.equal('run')
    expect((await store.begin(request)).kind).to.equal('busy')
    const later = createIdempotencyStore({
      database,
      clock: { ...systemClock, now: () => Date.now() + 61_000 },
      logger: createRecordingLogger([]),
    })
    expect((await later.begin(request)).kind).to.equal('run')
  })

  it('expires after 24 hours', async () => {
    await post('key-4', 'a')
    const tomorrow = createIdempotencyStore({
      database,
      clock: { ...systemClock, now: () => Date.now() + 24 * 3_600_000 + 1 },
      logger: createRecordingLogger([]),
    })
    const signal = new AbortController().signal
    for (const document of [...database.documents.values()]) expect(document).to.not.have.property('key')
    const decision = await tomorrow.begin({ scope: `${testPrincipal().userId} startJob`, key: 'key-4', digest: 'other', signal })
    expect(decision.kind).to.equal('run')
  })

  it('refuses a key that is not a valid header value', async () => {
    expect((await post('a b', 'a')).status).to.equal(422)
    expect((await post('x'.repeat(256), 'a')).status).to.equal(422)
  })
})
