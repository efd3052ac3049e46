import type { RouteResponse } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { createTestContext, type PluginTestContext, testPrincipal } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'

/** What a request is answered with: the code of its error, or its status. */
async function outcomeOf(answer: Promise<RouteResponse>): Promise<unknown> {
  try {
    return (await answer).status
  } catch (error) {
    return (error as { readonly code?: unknown }).code ?? error
  }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('feature-files', () => {
  let test: PluginTestContext

  const upload = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    test.request('PUT /api/files/content', {
      ...{ query: { path }, headers },
      body: (async function* () {
        yield bytesOf('one')
        yield bytesOf('two')
      })(),
    })

  beforeEach(async () => {
    test = createTestContext(plugin)
    await test.setup()
  })
  afterEach(() => test.dispose())

  it('keeps to its manifest and leaves nothing open', async () => {
    await test.dispose()
    expect(test.scope.holdings()).to.deep.equal([])
  })

  it('stores, gives out, counts and deletes', async () => {
    expect(await outcomeOf(upload('files/a/b.txt'))).to.equal(201)
    expect(await outcomeOf(upload('files/a/b.txt'))).to.equal(200)
    expect(await outcomeOf(upload('files/a/b.txt', { 'if-none-match': '*' }))).to.equal('precondition_failed')
    // More in turn than a user may have at once.
    for (let turn = 0; turn < 40; turn += 1) {
      const answer = await test.request('GET /api/files/content', { query: { path: 'files/a/b.txt' }, headers: { range: 'bytes=2-3' } })
      expect(answer).to.deep.include({ status: 206, kind: 'stream', length: 2 })
      const pieces: Uint8Array[] = []
      if (answer.kind === 'stream') for await (const piece of answer.stream) pieces.push(piece)
      expect(Buffer.concat(pieces).toString()).to.equal('et')
    }
    const made = await test.request('POST /api/files/presign', { body: { path: 'files/a/b.txt' } })
    expect(made).to.have.nested.property('json.url', 'https://service.example/api/files/content?path=files/a/b.txt&presign=1')
    const { json } = (await test.request('GET /api/files/usage')) as { readonly json: unknown }
    expect(json).to.deep.equal({ used_bytes: 6, max_bytes: null })
    expect(await outcomeOf(test.request('DELETE /api/files/content', { query: { path: 'files/a/b.txt' } }))).to.equal(204)
    expect(await outcomeOf(test.request('GET /api/files/content', { query: { path: 'files/a/b.txt' } }))).to.equal('not_found')
    expect(test.services.userFiles.files.size).to.equal(0)
  })

  it('lets a user have 32 downloads at once, and neither an unchanged nor an absent file counts', async () => {
    test.services.userFiles.files.set('ada/files/a.txt', bytesOf('x'))
    const query = { path: 'files/a.txt' }
    for (let turn = 0; turn < 40; turn += 1) {
      expect(await outcomeOf(test.request('GET /api/files/content', { query, headers: { 'if-none-match': '*' } }))).to.equal(304)
      expect(await outcomeOf(test.request('GET /api/files/content', { query: { path: 'files/absent' } }))).to.equal('not_found')
      expect(await outcomeOf(test.request('GET /api/files/content', { query, headers: { range: 'bytes=9-' } }))).to.equal(
        'range_not_satisfiable',
      )
    }
    for (let turn = 0; turn < 32; turn += 1) expect(await outcomeOf(test.request('GET /api/files/content', { query }))).to.equal(200)
    expect(await outcomeOf(test.request('GET /api/files/content', { query }))).to.equal('limit_reached')
  })

  it('asks the policies about each file and folder, as what acts for its owner', async () => {
    test.services.userFiles.files.set('ada/files/a.txt', bytesOf('x'))
    test.services.policies.decide(() => false)
    const path = 'files/a.txt'
    for (const request of [
      () => test.request('GET /api/files/content', { query: { path } }),
      () => test.request('GET /api/files', { query: { path: 'files' } }),
      () => test.request('POST /api/files/presign', { body: { path } }),
      () => test.request('DELETE /api/files/content', { query: { path } }),
      () => upload(path),
    ])
      expect(await outcomeOf(request())).to.equal('forbidden')
    const actor = { kind: 'agent', id: 'agent-1', purpose: 'sandbox' } as const
    await outcomeOf(test.request('GET /api/files/content', { query: { path }, principal: { ...testPrincipal, actor } }))
    const owner = { __entity: { type: 'User', id: testPrincipal.userId } }
    const user = { type: 'User', id: testPrincipal.userId }
    expect(test.services.policies.asked.map(({ principal, action, resource }) => [principal.type, action, resource.id])).to.deep.equal([
      ['User', 'read_file', 'files/a.txt'],
      ['User', 'read_file', 'files'],
      ['User', 'read_file', 'files/a.txt'],
      ['User', 'write_file', 'files/a.txt'],
      ['User', 'write_file', 'files/a.txt'],
      ['Agent', 'read_file', 'files/a.txt'],
    ])
    expect(test.services.policies.asked.at(-1)).to.deep.equal({
      principal: { type: 'Agent', id: 'agent-1', attributes: { owner }, parents: [user] },
      action: 'read_file',
      resource: { type: 'File', id: 'files/a.txt', attributes: { path: 'files/a.txt', owner } },
    })
    expect(test.services.userFiles.files.size).to.equal(1)
  })

  for (const path of ['mcps/x/a', 'channels/a', 'vault/key', 'tokens/a', 'Files/a', 'files/', 'files//a', 'files/../vault/key', '/files/a'])
    it(`5.3.2 takes ${path} for no path, of a file or of a folder`, async () => {
      for (const route of ['GET /api/files/content', 'GET /api/files', 'DELETE /api/files/content'])
        expect(await outcomeOf(test.request(route, { query: { path } })), route).to.equal('invalid_request')
      expect(await outcomeOf(upload(path))).to.equal('invalid_request')
      expect(await outcomeOf(test.request('POST /api/files/presign', { body: { path } }))).to.equal('invalid_request')
      expect(test.services.policies.asked).to.deep.equal([])
    })

  it('frees what was left behind, as a job that ends with its signal', async () => {
    const [job] = test.contributed(schedulerJobs)
    const stopped = new Error('stopped')
    await job?.run({ signal: new AbortController().signal, epoch: 1 })
    const ended = await job?.run({ signal: AbortSignal.abort(stopped), epoch: 1 }).catch((error: unknown) => error)
    expect(ended).to.equal(stopped)
  })
})
