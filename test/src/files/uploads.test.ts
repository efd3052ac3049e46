import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { ephemeralTokensToken } from '@agent-service/kernel/testing/tokens'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'

type UploadBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

const limit = 3_000_000

describe('files over HTTP', () => {
  let kernel: TestKernel
  let ada: Api
  let bob: Api
  let home: string

  const url = (place: string): string => `${kernel.url}/api/files/content?path=${encodeURIComponent(place)}`
  const send = async (
    method: string,
    place: string,
    { token = bob.token, headers = {}, body }: { token?: string; headers?: Readonly<Record<string, string>>; body?: UploadBody } = {},
  ) => {
    const answer = await fetch(url(place), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream', ...headers },
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    } as RequestInit)
    const text = await answer.text()
    const json = answer.headers.get('content-type')?.includes('json') ? (JSON.parse(text) as Record<string, unknown>) : {}
    return { status: answer.status, text, json, etag: answer.headers.get('etag') }
  }
  const put = (place: string, body: UploadBody = 'x', headers: Readonly<Record<string, string>> = {}) =>
    send('PUT', place, { body, headers })
  const list = async (query: string, token = bob.token) => {
    const answer = await fetch(`${kernel.url}/api/files?${query}`, { headers: { authorization: `Bearer ${token}` } })
    return {
      status: answer.status,
      body: (await answer.json()) as { items: { name: string }[]; next_cursor: string | null; code?: string },
    }
  }

  before(async () => {
    kernel = await createTestKernel({ environment: { SERVICE_SERVER_MAX_BODY_SIZE_BYTES: String(limit) } })
    ada = await signUp(kernel.url, 'ada')
    bob = await signUp(kernel.url, 'bob')
    home = path.join(kernel.folder, 'data', 'users', 'bob')
  })
  after(() => kernel.stop())
  afterEach(async () => {
    expect(await readdir(path.join(home, '.incoming')).catch(() => []), 'what writes left behind').to.deep.equal([])
  })

  it('are uploaded, downloaded, listed and deleted by their owner', async () => {
    const made = await put('files/reports/größe.txt', 'hello')
    expect(made.status).to.equal(201)
    expect(made.json).to.include({ path: 'files/reports/größe.txt', size: 5, etag: made.etag })
    expect(Date.parse(String(made.json['modified_at']))).to.be.closeTo(Date.now(), 60_000)
    const replaced = await put('files/reports/größe.txt', 'hello again')
    expect([replaced.status, replaced.json['size']]).to.deep.equal([200, 11])
    const got = await send('GET', 'files/reports/größe.txt')
    expect([got.status, got.text, got.etag]).to.deep.equal([200, 'hello again', replaced.etag])
    expect((await list('path=files/reports')).body.items).to.deep.equal([{ ...replaced.json, name: 'größe.txt', kind: 'file' }])
    expect((await send('GET', 'files/reports/größe.txt', { token: ada.token })).status).to.equal(404)
    expect((await send('DELETE', 'files/reports/größe.txt', { token: ada.token })).status).to.equal(404)
    expect((await send('DELETE', 'files/reports/größe.txt')).status).to.equal(204)
    expect((await send('DELETE', 'files/reports/größe.txt')).json).to.include({ status: 404, code: 'not_found' })
    expect((await send('GET', 'files/reports/größe.txt')).status).to.equal(404)
  })

  it('take any type, an empty content, and many at once', async () => {
    for (const type of ['text/html', 'application/json', 'image/png', 'x/y'])
      expect((await put(`files/any/${type.replace('/', '.')}`, '', { 'content-type': type })).status, type).to.equal(201)
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => (await put('files/any/same', `${index}`.repeat(50_000))).status),
    )
    expect(statuses.filter((status) => status === 201)).to.have.length(1)
    const text = await readFile(path.join(home, 'files', 'any', 'same'), 'utf8')
    expect(new Set(text.match(/../g)).size, 'one content, not a mixture').to.be.lessThan(3)
  })

  it('change only under the conditions of the request', async () => {
    const first = await put('files/c', 'one', { 'if-none-match': '*' })
    expect(first.status).to.equal(201)
    expect((await put('files/c', 'two', { 'if-none-match': '*' })).json).to.include({ status: 412, code: 'precondition_failed' })
    const second = await put('files/c', 'two', { 'if-match': first.etag ?? '' })
    expect(second.status).to.equal(200)
    expect((await put('files/c', 'three', { 'if-match': first.etag ?? '' })).status).to.equal(412)
    expect((await put('files/absent', 'x', { 'if-match': '*' })).status).to.equal(412)
    expect((await send('DELETE', 'files/c', { headers: { 'if-match': first.etag ?? '' } })).status).to.equal(412)
    expect((await send('GET', 'files/c')).text).to.equal('two')
    expect((await send('DELETE', 'files/c', { headers: { 'if-match': second.etag ?? '' } })).status).to.equal(204)
  })

  it('stay unchanged when an upload is too large, announced or not', async () => {
    await put('files/limited', 'old')
    const announced = await put('files/limited', new Uint8Array(limit + 1))
    expect(announced.json).to.include({ status: 413, code: 'body_too_large' })
    expect(String(announced.json['detail'])).to.contain('server.max_body_size_bytes')
    let pieces = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        pieces += 1
        if (pieces > 60) controller.close()
        else controller.enqueue(new Uint8Array(64 * 1024))
      },
    })
    expect((await put('files/limited', stream)).status).to.equal(413)
    expect((await send('GET', 'files/limited')).text).to.equal('old')
    expect((await put('files/limited', new Uint8Array(limit))).status).to.equal(200)
  })

  it('stay unchanged when the client disconnects halfway', async () => {
    await put('files/cut', 'old')
    const upload = request(url('files/cut'), {
      method: 'PUT',
      headers: { authorization: `Bearer ${bob.token}`, 'content-type': 'application/octet-stream', 'content-length': '2000000' },
    })
    const gone = new Promise<void>((resolve) => upload.on('error', () => resolve()))
    await new Promise<void>((resolve) => upload.write(Buffer.alloc(500_000), () => resolve()))
    const incoming = path.join(home, '.incoming')
    const untilThereAre = (count: number) => eventually(async () => (await readdir(incoming).catch(() => [])).length === count)
    await untilThereAre(1)
    upload.destroy()
    await gone
    await untilThereAre(0)
    expect((await send('GET', 'files/cut')).text).to.equal('old')
  })

  it('5.3.2 are not reached outside of the two folders, nor through links out of them', async () => {
    for (const place of [
      'vault/key',
      'tokens/x',
      '.incoming/x',
      'files',
      '../ada/files/x',
      'files/../vault/x',
      '/etc/passwd',
      'files/a\nb',
      'files//a',
    ]) {
      expect((await put(place)).status, place).to.equal(422)
      expect((await send('DELETE', place)).status, place).to.equal(422)
    }
    for (const query of [
      'path=vault',
      'path=..',
      'path=',
      '',
      'path=files/..',
      'path=files/',
      'path=files&cursor=%00',
      'path=files&cursor=a',
      'path=files&limit=201',
    ])
      expect((await list(query)).status, query).to.equal(422)
    await mkdir(path.join(home, 'vault'), { recursive: true })
    await writeFile(path.join(home, 'vault', 'key'), 'secret')
    await symlink('../vault', path.join(home, 'files', 'out'))
    expect([
      (await put('files/out/key')).status,
      (await put('files/out/new')).status,
      (await send('DELETE', 'files/out/key')).status,
    ]).to.deep.equal([...[404, 404, 404]])
    expect((await list('path=files/out')).status).to.equal(404)
    expect((await send('DELETE', 'files/out')).status).to.equal(204)
    expect([await readdir(path.join(home, 'vault')), await readFile(path.join(home, 'vault', 'key'), 'utf8')]).to.deep.equal([
      ['key'],
      'secret',
    ])
  })

  it('report what prevents a change', async () => {
    await put('files/dir/inner')
    expect((await put('files/dir')).json).to.include({ status: 409, code: 'file_conflict' })
    expect((await put('files/dir/inner/below')).json).to.include({ status: 409, code: 'file_conflict' })
    expect((await send('DELETE', 'files/dir')).json).to.include({ status: 409, code: 'file_conflict' })
    expect((await send('DELETE', 'files/dir/inner')).status).to.equal(204)
    expect((await send('DELETE', 'files/dir')).status).to.equal(204)
  })

  it('are listed in pages, each once', async () => {
    expect(await list('path=workspaces')).to.deep.equal({ status: 200, body: { items: [], next_cursor: null } })
    expect((await list('path=workspaces/none')).status).to.equal(404)
    for (let index = 0; index < 7; index += 1) await put(`workspaces/agent-1/n${index}`)
    const names: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await list(`path=workspaces/agent-1&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
      expect(page.body.items.length).to.be.at.most(3)
      names.push(...page.body.items.map(({ name }) => name))
      cursor = page.body.next_cursor
    }
    expect(names).to.deep.equal(['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6'])
    expect((await list('path=workspaces/agent-1', ada.token)).status).to.equal(404)
  })

  it('8.2.1 are not changed by a program that acts for their owner, nor by a read-only token', async () => {
    await put('workspaces/agent-1/own', 'old')
    const tokens = kernel.container.resolve(ephemeralTokensToken)
    for (const kind of ['agent', 'app', 'mcp_server'] as const) {
      const { token } = await tokens.issue({ userId: bob.userId, actor: { kind, id: 'agent-1', purpose: 'sandbox' } })
      expect((await send('PUT', 'workspaces/agent-1/own', { token, body: 'new' })).json).to.include({ status: 403, code: 'people_only' })
      expect((await send('DELETE', 'workspaces/agent-1/own', { token })).json).to.include({ status: 403, code: 'people_only' })
    }
    const { body } = await bob.request('POST', '/api/auth/tokens', { name: 'reader', scopes: ['read'] })
    const reader = String(body['token'])
    expect((await send('PUT', 'workspaces/agent-1/own', { token: reader, body: 'new' })).status).to.equal(403)
    expect((await send('DELETE', 'workspaces/agent-1/own', { token: reader })).status).to.equal(403)
    expect([
      (await list('path=files', reader)).status,
      (await send('GET', 'workspaces/agent-1/own', { token: reader })).text,
    ]).to.deep.equal([200, 'old'])
    expect((await send('PUT', 'files/x', { token: 'none', body: 'x' })).status).to.equal(401)
  })
})
