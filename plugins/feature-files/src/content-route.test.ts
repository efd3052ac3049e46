import { readdir, truncate, utimes } from 'node:fs/promises'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type FilesService, filesServiceOf } from './test-support/files-service.js'

describe('GET /api/files/content', () => {
  let kernel: TestKernel
  let server: FilesService
  let ada: string
  let bob: string

  const get = async (
    place: string,
    headers: Readonly<Record<string, string>> = {},
    init: RequestInit & { readonly token?: string } = {},
  ) => {
    const answer = await server.fetch(`/api/files/content?path=${encodeURIComponent(place)}`, { token: bob, headers, ...init })
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }

  before(async () => {
    kernel = await createTestKernel()
    server = filesServiceOf(kernel)
    ada = await server.signUp('ada')
    bob = await server.signUp('bob')
    await server.put('bob', 'files/digits.txt', '0123456789')
    await server.put('bob', 'files/empty', '')
    await server.put('ada', 'files/hers.txt', 'not for bob')
  })
  after(() => kernel?.stop())

  it('is found by both Unicode forms of its name, which new files have composed', async () => {
    const [composed, decomposed] = ['Gr\u00f6\u00dfe.txt', 'Gro\u0308\u00dfe.txt']
    await server.put('bob', `files/copied/${decomposed}`, 'by hand')
    for (const name of [composed, decomposed]) {
      const { status, text, headers } = await get(`files/copied/${name}`)
      expect([status, text]).to.deep.equal([200, 'by hand'])
      expect(headers.get('content-disposition')).to.equal(
        `attachment; filename="Gro__e.txt"; filename*=UTF-8''${encodeURIComponent(decomposed)}`,
      )
    }
    const upload = await server.fetch(`/api/files/content?path=${encodeURIComponent(`files/new/${decomposed}`)}`, {
      ...{ token: bob, method: 'PUT', body: 'uploaded', headers: { 'content-type': 'text/plain' } },
    })
    expect(upload.status).to.equal(201)
    expect(await upload.json()).to.include({ path: `files/new/${composed}` })
    expect(await readdir(path.join(kernel.folder, 'data/users/bob/files/new'))).to.deep.equal([composed])
  })

  it('3.2.1 3.4.4 is an attachment that no browser runs', async () => {
    const { status, text, headers } = await get('files/digits.txt')
    expect([status, text]).to.deep.equal([200, '0123456789'])
    expect(Object.fromEntries(headers)).to.include({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '10',
      'content-disposition': 'attachment; filename="digits.txt"',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
    })
    for (const name of [
      'a.html',
      'a.svg',
      'a.js',
      'a.mjs',
      'a.css',
      'a.xml',
      'a.xhtml',
      'a.wasm',
      'a.json',
      'a',
      'a.htm',
      'A.HTML',
      'a.swf',
    ]) {
      await server.put('bob', `files/${name}`, '<script>alert(1)</script>')
      const answer = await get(`files/${name}`)
      expect([answer.status, answer.headers.get('content-type')], name).to.deep.equal([200, 'application/octet-stream'])
    }
  })

  it('5.4.2 names the file in full, whatever the name does', async () => {
    for (const [name, expected] of [
      ['größe.pdf', `attachment; filename="gr__e.pdf"; filename*=UTF-8''gr%C3%B6%C3%9Fe.pdf`],
      ['a"; filename="b.exe', `attachment; filename="a_; filename=_b.exe"; filename*=UTF-8''a%22%3B%20filename%3D%22b.exe`],
      ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"`],
      ['100%41.txt', `attachment; filename="100_41.txt"; filename*=UTF-8''100%2541.txt`],
      ['😀', `attachment; filename="_"; filename*=UTF-8''%F0%9F%98%80`],
    ] as const) {
      await server.put('bob', `files/${name}`, 'x')
      expect((await get(`files/${name}`)).headers.get('content-disposition')).to.equal(expected)
    }
  })

  it('8.2.2 13.4.3 is the same 404 for nothing, for a folder and for what another user has', async () => {
    const problem = async (place: string, token = bob) => {
      const { status, text } = await get(place, {}, { token })
      const { request_id: _, ...rest } = JSON.parse(text) as { readonly request_id: string; readonly code: string }
      return { status, ...rest }
    }
    const absent = await problem('files/absent.txt')
    expect(absent).to.deep.include({ status: 404, code: 'not_found' })
    for (const place of ['files/hers.txt', 'files/absent/deep.txt', 'files/digits.txt/x', 'workspaces/none/x'])
      expect(await problem(place), place).to.deep.equal(absent)
    expect(await problem('files/digits.txt', ada)).to.deep.equal(absent)
  })

  it('5.3.2 is 422 for what is no path of the caller', async () => {
    for (const place of [
      '../ada/files/hers.txt',
      'files/../../ada/files/hers.txt',
      'vault/key',
      'tokens/x',
      'mcps/x/y',
      '/etc/passwd',
      'files',
      '',
    ])
      expect((await get(place)).status, place).to.equal(422)
    for (const query of [
      '',
      '?path=files/a&path=files/b',
      '?path=files/a&other=1',
      '?path=files/a%00',
      `?path=files/${'x'.repeat(1_000)}`,
    ]) {
      const status = (await server.fetch(`/api/files/content${query}`, { token: bob })).status
      expect(status, query).to.be.oneOf([400, 422])
    }
    expect((await server.fetch('/api/files/content?path=files/digits.txt')).status).to.equal(401)
  })

  for (const [range, expected, contentRange] of [
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=4-', '456789', 'bytes 4-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ['bytes=9-99', '9', 'bytes 9-9/10'],
    ['BYTES=1-1', '1', 'bytes 1-1/10'],
  ] as const) {
    it(`gives the range ${range}`, async () => {
      const { status, text, headers } = await get('files/digits.txt', { range })
      expect([status, text, headers.get('content-range'), headers.get('content-length')]).to.deep.equal([
        ...[206, expected, contentRange, String(expected.length)],
      ])
    })
  }

  for (const range of ['bytes=0-1,3-4', 'bytes=5-2', 'items=0-1', 'bytes=-', 'bytes=a-b', 'nonsense', 'bytes=0-1-2']) {
    it(`gives the whole file for the range ${range}`, async () => {
      expect(await get('files/digits.txt', { range })).to.include({ status: 200, text: '0123456789' })
    })
  }

  it('says how long the file is where a range lies outside', async () => {
    for (const range of ['bytes=10-', 'bytes=99-100', 'bytes=-0', 'bytes=999999999999999-']) {
      const { status, text, headers } = await get('files/digits.txt', { range })
      expect([status, headers.get('content-range')], range).to.deep.equal([416, 'bytes */10'])
      expect(JSON.parse(text)).to.include({ code: 'range_not_satisfiable' })
      expect(headers.get('content-disposition')).to.equal(null)
    }
    expect((await get('files/empty', { range: 'bytes=0-0' })).status).to.equal(416)
    expect(await get('files/empty')).to.include({ status: 200, text: '' })
  })

  it('answers HEAD as GET, without the bytes', async () => {
    const whole = await get('files/digits.txt', {}, { method: 'HEAD' })
    const range = await get('files/digits.txt', { range: 'bytes=2-4' }, { method: 'HEAD' })
    expect([whole.status, whole.text, whole.headers.get('content-length')]).to.deep.equal([200, '', '10'])
    expect([range.status, range.text, range.headers.get('content-length')]).to.deep.equal([206, '', '3'])
  })

  it('is not sent again to who has it, and only its new content goes on where an old one broke off', async () => {
    const file = await server.put('bob', 'files/changing.txt', 'one')
    const first = await get('files/changing.txt')
    const etag = first.headers.get('etag') ?? ''
    const modified = first.headers.get('last-modified') ?? ''
    for (const headers of [{ 'if-none-match': etag }, { 'if-none-match': `"x", W/${etag}` }, { 'if-modified-since': modified }])
      expect(await get('files/changing.txt', headers)).to.include({ status: 304, text: '' })
    expect((await get('files/changing.txt', { range: 'bytes=1-', 'if-range': etag })).status).to.equal(206)
    await server.put('bob', 'files/changing.txt', 'two')
    await utimes(file, new Date(), new Date(Date.now() + 5_000))
    expect((await get('files/changing.txt', { 'if-none-match': etag })).text).to.equal('two')
    expect(await get('files/changing.txt', { range: 'bytes=1-', 'if-range': etag })).to.include({ status: 200, text: 'two' })
  })

  it('breaks off when the file becomes shorter on the way, so that nobody takes a part for the whole', async () => {
    const size = 64 * 1024 * 1024
    const file = await server.put('bob', 'files/shrinking', '')
    await truncate(file, size)
    const answer = await server.fetch('/api/files/content?path=files/shrinking', { token: bob })
    const reader = answer.body?.getReader()
    await reader?.read()
    await truncate(file, 0)
    let error: unknown
    let read = 0
    try {
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) read += part.value.byteLength
    } catch (thrown) {
      error = thrown
    }
    expect(error, `after ${read} bytes`).to.be.instanceOf(Error)
    expect(read).to.be.lessThan(size)
  })
})
