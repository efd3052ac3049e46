import { createHash } from 'node:crypto'
import { readdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type FilesService, filesServiceOf } from '../test-support/files-service.js'

interface Page {
  readonly items: readonly { readonly path: string; readonly kind: string }[]
  readonly next_cursor: string | null
}

describe('search, copies and checksums', () => {
  let kernel: TestKernel
  let service: FilesService
  let ada: string
  before(async () => {
    kernel = await createTestKernel()
    service = filesServiceOf(kernel)
    ada = await service.signUp('ada')
    for (const place of ['a/Report.txt', 'a/b/report-2.md', 'a/b/other', 'report/x', 'zz/Übung.txt', 'zz/Stra\u00dfe', '.bin/x/report'])
      await service.put('ada', `files/${place}`, place)
    await service.put('bob', 'files/report-of-bob', 'x')
    await symlink(path.join(kernel.folder, 'data/users/bob/files'), path.join(kernel.folder, 'data/users/ada/files/report-link'))
  })
  after(() => kernel.stop())

  const call = async (method: string, target: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await service.fetch(target, { token: ada, method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    return { status: answer.status, json: (text === '' ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>> }
  }
  const search = async (query: string): Promise<Page> => (await call('GET', `/api/files/search?${query}`)).json as unknown as Page
  const paths = ({ items }: Page): readonly string[] => items.map((each) => each.path)

  it('finds names in any case, below a folder, without the bin and beyond no link', async () => {
    const all = ['files/a/Report.txt', 'files/a/b/report-2.md', 'files/report', 'files/report-link']
    expect(paths(await search('name=REPORT'))).to.deep.equal(all)
    expect(paths(await search('name=report&path=files/a'))).to.deep.equal(all.slice(0, 2))
    expect(paths(await search(`name=${encodeURIComponent('U\u0308BUNG')}`))).to.deep.equal(['files/zz/Übung.txt'])
    expect(paths(await search('name=STRASSE'))).to.deep.equal(['files/zz/Stra\u00dfe'])
    await writeFile(path.join(kernel.folder, 'data/users/ada/files/zz/Me\u0301moire'), 'x')
    for (const name of ['M\u00c9MOIRE', 'me\u0301m'])
      expect(paths(await search(`name=${encodeURIComponent(name)}`))).to.deep.equal(['files/zz/Me\u0301moire'])
    expect(paths(await search('name=nothing'))).to.deep.equal([])
    expect((await call('GET', '/api/files/search?name=x&path=files/none')).status).to.equal(404)
    expect((await call('GET', '/api/files/search?name=x&path=files/report-link')).status).to.be.oneOf([403, 404])
    for (const query of [
      '',
      'name=',
      'name=x&path=vault',
      'name=x&cursor=..',
      `name=x&cursor=${Buffer.from('../x').toString('base64url')}`,
    ])
      expect((await call('GET', `/api/files/search?${query}`)).status, query).to.be.oneOf([400, 422])
  })

  it('goes on behind any page, each name once', async () => {
    const found: string[] = []
    let cursor: string | null = ''
    do {
      const page = await search(`name=r&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
      found.push(...paths(page))
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(found).to.deep.equal(paths(await search('name=r&limit=100')))
    expect(found.length).to.be.above(4)
  })

  it('copies files and folders, never over something else, and not into themselves', async () => {
    expect((await call('POST', '/api/files/copy', { from: 'files/a', to: 'files/copies/a' })).json).to.include({ kind: 'folder' })
    const content = await service.fetch('/api/files/content?path=files/copies/a/b/report-2.md', { token: ada })
    expect(await content.text()).to.equal('a/b/report-2.md')
    expect((await call('POST', '/api/files/folders', { path: 'files/with/nothing' })).status).to.equal(201)
    await call('POST', '/api/files/copy', { from: 'files/with', to: 'files/copies/with' })
    expect(await readdir(path.join(kernel.folder, 'data/users/ada/files/copies/with'))).to.deep.equal(['nothing'])
    expect((await call('POST', '/api/files/copy', { from: 'files/report/x', to: 'workspaces/agent/x' })).json).to.include({
      path: 'workspaces/agent/x',
      size: 8,
    })
    for (const [from, to, status] of [
      ['files/a', 'files/copies/a', 409],
      ['files/report/x', 'files/a/b/other', 409],
      ['files/a', 'files/a/b/c', 422],
      ['files/a', 'files/a', 422],
      ['files/none', 'files/x', 404],
      ['files/report-link', 'files/x', 404],
      ['files/a', 'files/.bin/x', 422],
    ] as const)
      expect((await call('POST', '/api/files/copy', { from, to })).status, `${from} to ${to}`).to.equal(status)
    expect(await readdir(path.join(kernel.folder, 'data/users/ada/files/copies'))).to.have.members(['a', 'with'])
  })

  it('copies no folder in which two names would become one, and says which', async () => {
    const [composed, decomposed] = ['Gr\u00f6\u00dfe', 'Gro\u0308\u00dfe']
    for (const form of [composed, decomposed]) {
      await service.put('ada', `files/forms/in-folders/${form}/${form === composed ? 'one' : 'two'}`, form)
      await service.put('ada', `files/forms/files/${form}`, form)
    }
    for (const kind of ['in-folders', 'files']) {
      const { status, json } = await call('POST', '/api/files/copy', { from: `files/forms/${kind}`, to: `files/forms/copy-of-${kind}` })
      expect([status, json['code']]).to.deep.equal([409, 'file_conflict'])
      expect(json['detail']).to.include(`${kind}/Gr`).and.include('rename one of them')
    }
    expect(await readdir(path.join(kernel.folder, 'data/users/ada/files/forms'))).to.have.members(['in-folders', 'files'])
  })

  it('leaves nothing of a copy that does not fit', async () => {
    const small = await createTestKernel({ environment: { SERVICE_STORAGE_MAX_BYTES_PER_USER: '1000' } })
    try {
      const files = filesServiceOf(small)
      const token = await files.signUp('ada')
      await files.put('ada', 'files/big/1', 'x'.repeat(300))
      await files.put('ada', 'files/big/2', 'x'.repeat(300))
      const body = JSON.stringify({ from: 'files/big', to: 'files/copy' })
      const answer = await files.fetch('/api/files/copy', { token, method: 'POST', headers: { 'content-type': 'application/json' }, body })
      expect(answer.status).to.equal(413)
      expect(await readdir(path.join(small.folder, 'data/users/ada/files'))).to.deep.equal(['big'])
    } finally {
      await small.stop()
    }
  })

  it('computes the checksum of a whole file', async () => {
    expect((await call('GET', '/api/files/checksum?path=files/report/x')).json).to.include({
      path: 'files/report/x',
      size: 8,
      sha256: createHash('sha256').update('report/x').digest('hex'),
    })
    expect((await call('GET', '/api/files/checksum?path=files/a')).status).to.equal(404)
  })

  it('sends the media type of the first bytes, whatever the name says', async () => {
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')
    for (const [name, content, type] of [
      ['image.html', png, 'image/png'],
      ['page.png', '<script>alert(1)</script>', 'application/octet-stream'],
      ['doc.bin', '%PDF-1.7\n%\u00e2', 'application/pdf'],
      ['code.txt', '<script>alert(1)</script>', 'text/plain; charset=utf-8'],
      ['binary.txt', Buffer.from([1, 0, 2]), 'application/octet-stream'],
      ['drawing.jpg', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'application/octet-stream'],
      ['program.mp4', Buffer.from('7f454c46020101000000000000000000', 'hex'), 'application/octet-stream'],
    ] as const) {
      await service.put('ada', `files/types/${name}`, content)
      const answer = await service.fetch(`/api/files/content?path=files/types/${name}`, { token: ada })
      await answer.arrayBuffer()
      expect(answer.headers.get('content-type'), name).to.equal(type)
      const shown = await service.fetch(`/api/files/content?path=files/types/${name}&view=inline`, { token: ada })
      await shown.arrayBuffer()
      const isPdf = type === 'application/pdf'
      expect(shown.headers.get('content-disposition') === 'inline', name).to.equal(isPdf)
      expect(shown.headers.get('content-security-policy')?.startsWith('sandbox'), name).to.equal(!isPdf)
      expect(shown.headers.get('x-content-type-options')).to.equal('nosniff')
    }
  })
})
