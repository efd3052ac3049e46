import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type FilesService, filesServiceOf } from '../test-support/files-service.js'

interface Answer {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
}

describe('folders, moves and the bin', () => {
  let kernel: TestKernel
  let service: FilesService
  let ada: string
  let eve: string
  before(async () => {
    kernel = await createTestKernel({ environment: { SERVICE_AUTH_ALLOW_REGISTRATION: 'true' } })
    service = filesServiceOf(kernel)
    ada = await service.signUp('ada')
    eve = await service.signUp('eve')
  })
  after(() => kernel.stop())

  const call = async (method: string, target: string, body?: unknown, token = ada): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await service.fetch(target, { token, method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    return { status: answer.status, json: text === '' ? {} : JSON.parse(text) }
  }
  const upload = async (place: string, content = 'text', token = ada): Promise<void> => {
    const answer = await service.fetch(`/api/files/content?path=${place}`, { token, method: 'PUT', body: content })
    expect(answer.status).to.equal(201)
  }
  const names = async (folder: string): Promise<readonly unknown[]> =>
    ((await call('GET', `/api/files?path=${folder}`)).json['items'] as readonly { readonly name: string }[]).map(({ name }) => name)
  const binned = async (token = ada) =>
    (await call('GET', '/api/files/bin', undefined, token)).json['items'] as readonly { readonly id: string; readonly path: string }[]
  const codeOf = ({ status, json }: Answer): unknown => (status < 300 ? status : json['code'])

  it('make a folder once, with those above it', async () => {
    expect(await call('POST', '/api/files/folders', { path: 'files/a/b' })).to.deep.include({ status: 201 })
    expect(codeOf(await call('POST', '/api/files/folders', { path: 'files/a/b' }))).to.equal('file_conflict')
    expect(codeOf(await call('POST', '/api/files/folders', { path: 'files/../b' }))).to.equal('invalid_request')
    expect(await names('files/a')).to.deep.equal(['b'])
  })

  it('rename and move, with all that is in a folder, and never over something else', async () => {
    await upload('files/m/one.txt')
    await upload('files/m/two.txt')
    expect((await call('POST', '/api/files/move', { from: 'files/m/one.txt', to: 'files/m/uno.txt' })).json).to.include({
      path: 'files/m/uno.txt',
    })
    expect(codeOf(await call('POST', '/api/files/move', { from: 'files/m/uno.txt', to: 'files/m/two.txt' }))).to.equal('file_conflict')
    expect(codeOf(await call('POST', '/api/files/move', { from: 'files/m', to: 'files/n/m' }))).to.equal(200)
    expect(await names('files/n/m')).to.deep.equal(['two.txt', 'uno.txt'])
    for (const [from, to, code] of [
      ['files/none', 'files/x', 'not_found'],
      ['files/n', 'files/n/inside', 'invalid_request'],
      ['files/n', 'files/n', 'invalid_request'],
      ['files/n', 'workspaces/n', 'invalid_request'],
      ['files/n', 'files/.bin/n', 'invalid_request'],
      ['files/.bin', 'files/n2', 'invalid_request'],
    ] as const)
      expect(codeOf(await call('POST', '/api/files/move', { from, to })), `${from} to ${to}`).to.equal(code)
  })

  it('bring files and folders back from the bin, to where they were', async () => {
    await upload('files/k/deep/note.md', 'keep me')
    expect((await call('POST', '/api/files/bin', { path: 'files/k' })).json).to.include({ path: 'files/k', kind: 'folder' })
    await upload('files/list.txt', 'a list')
    expect((await call('POST', '/api/files/bin', { path: 'files/list.txt' })).json).to.include({ kind: 'file', size: 6 })
    expect(await names('files')).to.not.include.members(['.bin', 'k', 'list.txt'])
    const waiting = await binned()
    expect(waiting.map((each) => each.path)).to.deep.equal(['files/list.txt', 'files/k'])
    await upload('files/list.txt', 'another one')
    expect(codeOf(await call('POST', `/api/files/bin/${waiting[0]?.id}/restore`))).to.equal('file_conflict')
    expect(await call('POST', `/api/files/bin/${waiting[1]?.id}/restore`)).to.deep.include({ status: 200 })
    expect(await (await service.fetch('/api/files/content?path=files/k/deep/note.md', { token: ada })).text()).to.equal('keep me')
    expect((await binned()).map((each) => each.path)).to.deep.equal(['files/list.txt'])
    expect(codeOf(await call('POST', `/api/files/bin/${waiting[1]?.id}/restore`))).to.equal('not_found')
    const inBin = await readdir(path.join(kernel.folder, 'data/users/ada/files/.bin'))
    expect(inBin, 'nothing is left of what came back').to.deep.equal([waiting[0]?.id])
  })

  it('delete for good one by one or all at once, in pages, and count what waits', async () => {
    await call('DELETE', '/api/files/bin')
    for (const name of ['1', '2', '3']) {
      await upload(`files/gone-${name}`, 'x'.repeat(1_000))
      await call('POST', '/api/files/bin', { path: `files/gone-${name}` })
    }
    const first = await call('GET', '/api/files/bin?limit=2')
    expect(first.json['items']).to.have.length(2)
    const second = await call('GET', `/api/files/bin?limit=2&cursor=${first.json['next_cursor']}`)
    expect(second.json).to.deep.include({ next_cursor: null })
    expect(second.json['items']).to.have.length(1)
    expect(codeOf(await call('GET', '/api/files/bin?cursor=..'))).to.equal('cursor_invalid')
    const [latest] = await binned()
    expect(codeOf(await call('DELETE', `/api/files/bin/${latest?.id}`))).to.equal(204)
    expect(codeOf(await call('DELETE', `/api/files/bin/${latest?.id}`))).to.equal('not_found')
    expect(codeOf(await call('DELETE', '/api/files/bin'))).to.equal(204)
    expect(codeOf(await call('DELETE', '/api/files/bin'))).to.equal(204)
    expect(await binned()).to.deep.equal([])
    expect(await readdir(path.join(kernel.folder, 'data/users/ada/files'))).to.not.include('.bin')
  })

  it('belong to one person, and no other route reaches the bin', async () => {
    await upload('files/mine.txt')
    await call('POST', '/api/files/bin', { path: 'files/mine.txt' })
    const [mine] = await binned()
    expect(await binned(eve)).to.deep.equal([])
    expect(codeOf(await call('POST', `/api/files/bin/${mine?.id}/restore`, undefined, eve))).to.equal('not_found')
    expect(codeOf(await call('DELETE', `/api/files/bin/${mine?.id}`, undefined, eve))).to.equal('not_found')
    const content = `/api/files/content?path=files/.bin/${mine?.id}/about.json`
    expect((await service.fetch(content, { token: ada })).status).to.equal(422)
    expect((await service.fetch(content, { token: ada, method: 'PUT', body: '{}' })).status).to.equal(422)
    expect(codeOf(await call('GET', '/api/files?path=files/.bin'))).to.equal('invalid_request')
    expect(codeOf(await call('POST', '/api/files/bin', { path: 'workspaces/a/b' }))).to.equal('invalid_request')
  })

  it('pass over what somebody else wrote into the folder of the bin', async () => {
    await call('DELETE', '/api/files/bin')
    const id = '8236140000000-0a1b2c3d4e5f'
    await service.put(
      'ada',
      `files/.bin/${id}/about.json`,
      JSON.stringify({ path: 'files/../../eve/files/x', kind: 'file', size: 1, deletedAt: 1 }),
    )
    await service.put('ada', `files/.bin/${id}/content`, 'x')
    await service.put('ada', 'files/.bin/8236140000001-0a1b2c3d4e5f/about.json', 'not JSON')
    expect((await binned()).map((each) => each.id)).to.deep.equal([id])
    expect(codeOf(await call('POST', `/api/files/bin/${id}/restore`))).to.equal('invalid_request')
  })
})
