import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type FilesService, filesServiceOf } from './test-support/files-service.js'

describe('POST /api/files/presign', () => {
  let kernel: TestKernel
  let service: FilesService
  let ada: string
  let bob: string

  const presign = async (token: string, body: object) => {
    const answer = await service.fetch('/api/files/presign', {
      ...{ method: 'POST', token, body: JSON.stringify(body) },
      headers: { 'content-type': 'application/json' },
    })
    const { url, ...rest } = (await answer.json()) as { readonly url?: string; readonly code?: string }
    return { status: answer.status, target: url === undefined ? '' : url.slice(new URL(url).origin.length), ...rest }
  }

  before(async () => {
    kernel = await createTestKernel()
    service = filesServiceOf(kernel)
    ada = await service.signUp('ada')
    bob = await service.signUp('bob')
    await service.put('bob', 'files/report.pdf', 'the report')
    await service.put('bob', 'files/größe & co?.txt', 'odd')
    await service.put('bob', 'workspaces/agent-1/out/notes.md', 'notes')
  })
  after(() => kernel?.stop())

  it('gives the file to whoever has the URL, and HEAD alone where that was asked for', async () => {
    for (const [path, content] of [
      ['files/report.pdf', 'the report'],
      ['files/größe & co?.txt', 'odd'],
      ['workspaces/agent-1/out/notes.md', 'notes'],
    ] as const) {
      const { target } = await presign(bob, { path })
      const answer = await service.fetch(target)
      expect([answer.status, await answer.text()], path).to.deep.equal([200, content])
    }
    const { target } = await presign(bob, { path: 'files/report.pdf', method: 'HEAD' })
    expect(target).to.match(/^\/api\/files\/content\?path=files\/report\.pdf&presign=[\w.-]+$/)
    expect((await service.fetch(target, { method: 'HEAD' })).status).to.equal(200)
    expect((await service.fetch(target)).status).to.equal(401)
  })

  it('creates URLs only for existing files with a valid path', async () => {
    for (const path of ['files/absent.txt', 'workspaces/agent-1/out', 'files/../files/report.pdf', 'vault/key', '/etc/passwd', ''])
      expect((await presign(bob, { path })).status, path).to.be.oneOf([404, 422])
    expect((await presign(ada, { path: 'workspaces/agent-1/out/notes.md' })).status).to.equal(404)
  })

  it('refuses invalid bodies', async () => {
    for (const body of [
      {},
      { path: null },
      { path: 7 },
      { path: 'files/report.pdf', method: 'PUT' },
      { path: 'files/report.pdf', more: 1 },
    ])
      expect(await presign(bob, body), JSON.stringify(body)).to.include({ status: 422, code: 'invalid_request' })
  })
})
