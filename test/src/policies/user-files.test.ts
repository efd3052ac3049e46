import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { ephemeralTokensToken } from '@agent-service/kernel/testing/tokens'
import { type Actor, actorKinds } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { removeFolder } from '../support/service-process.js'

describe('policies about the files of a user, over HTTP', function () {
  this.timeout(60_000)
  let folder: string
  let kernel: TestKernel
  let ada: Api
  let bob: Api
  let root: string

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-file-policies-'))
    await writeConfiguration(folder, 'http://127.0.0.1:9/v1')
    kernel = await createTestKernel({ folder, environment: { UPSTREAM_KEY: 'key' } })
    ada = await signUp(kernel.url, 'ada')
    bob = await signUp(kernel.url, 'bob')
    root = path.join(folder, 'data', 'users', 'bob')
    await mkdir(path.join(root, 'workspaces', 'agent-1', 'secret'), { recursive: true })
    await mkdir(path.join(root, 'files'))
    await writeFile(path.join(root, 'workspaces', 'agent-1', 'secret', 'key.txt'), 'canary')
    await writeFile(path.join(root, 'workspaces', 'agent-1', 'open.txt'), 'plain')
    await mkdir(path.join(root, 'workspaces', 'agent-1', 'around', 'inner'), { recursive: true })
    await writeFile(path.join(root, 'workspaces', 'agent-1', 'around', 'inner', 'key.txt'), 'canary')
    await writeFile(path.join(root, 'files', 'own.txt'), 'my own')
    await symlink('secret', path.join(root, 'workspaces', 'agent-1', 'way'))
  })
  after(async () => {
    await kernel?.stop()
    if (folder) await removeFolder(folder)
  })

  const send = async (token: string, method: string, target: string, body?: string): Promise<readonly [number, string]> => {
    const answer = await fetch(`${kernel.url}${target}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body }),
    })
    const text = await answer.text()
    return [answer.status, answer.status >= 400 && text !== '' ? String((JSON.parse(text) as { readonly code?: string }).code) : text]
  }
  const content = (file: string): string => `/api/files/content?path=${file}`
  const presign = async (token: string, file: string): Promise<readonly [number, string]> => {
    const [status, text] = await send(token, 'POST', '/api/files/presign', JSON.stringify({ path: file }))
    return status === 200 ? [status, (JSON.parse(text) as { readonly url: string }).url] : [status, text]
  }
  const withPolicy = async (text: string, work: () => Promise<void>): Promise<void> => {
    const added = await ada.request('POST', '/api/admin/policies', { text })
    expect(added.status, JSON.stringify(added.body)).to.equal(201)
    try {
      await work()
    } finally {
      await ada.request('DELETE', `/api/admin/policies/${String(added.body['id'])}`)
    }
  }
  const forbidden = [403, 'forbidden']
  const secrets = ['workspaces/agent-1/secret/key.txt', 'workspaces/agent-1/way/key.txt']

  it('permit a person their own files as shipped', async () => {
    expect(await send(bob.token, 'GET', content('files/own.txt'))).to.deep.equal([200, 'my own'])
    for (const secret of secrets) expect(await send(bob.token, 'GET', content(secret))).to.deep.equal([200, 'canary'])
    for (const place of ['files', 'workspaces', 'workspaces/agent-1', 'workspaces/agent-1/way'])
      expect((await send(bob.token, 'GET', `/api/files?path=${place}`))[0], place).to.equal(200)
    expect((await send(bob.token, 'PUT', content('files/new/a.txt'), 'new'))[0]).to.equal(201)
    expect((await send(bob.token, 'DELETE', content('files/new/a.txt')))[0]).to.equal(204)
    const long = `files/${'x'.repeat(200)}/${'y'.repeat(200)}/${'z'.repeat(200)}`
    expect((await send(bob.token, 'PUT', content(long), 'long'))[0], 'a long path').to.equal(201)
    expect(await send(bob.token, 'GET', content(long))).to.deep.equal([200, 'long'])
  })

  it('that forbid reading hold for content, lists, pre-signed URLs and attachments, whatever link leads there', async () => {
    const [, made] = await presign(bob.token, secrets[0] ?? '')
    const chat = String((await bob.request('POST', '/api/chats', {})).body['id'])
    const text = `forbid (principal, action == Action::"read_file", resource is File)
      when { resource.path like "workspaces/agent-1/secret*" || resource.path like "workspaces/agent-1/around/inner/*" };`
    await withPolicy(text, async () => {
      for (const secret of secrets) {
        expect(await send(bob.token, 'GET', content(secret)), secret).to.deep.equal(forbidden)
        expect((await send(bob.token, 'HEAD', content(secret)))[0], secret).to.equal(403)
        expect(await presign(bob.token, secret), secret).to.deep.equal(forbidden)
        expect(await send(bob.token, 'GET', `/api/files?path=${path.posix.dirname(secret)}`), secret).to.deep.equal(forbidden)
        const posted = await bob.request('POST', `/api/chats/${chat}/messages`, { content: 'Look', attachments: [{ path: secret }] })
        expect([posted.status, JSON.stringify(posted.body['errors'])], secret).to.satisfy(
          ([status, errors]: readonly [number, string]) => status === 422 && errors.includes('do not allow you to read'),
        )
      }
      for (const road of ['move', 'copy'])
        for (const from of [...secrets, 'workspaces/agent-1/secret', 'workspaces/agent-1/around']) {
          const to = 'workspaces/agent-1/elsewhere'
          expect(await send(bob.token, 'POST', `/api/files/${road}`, JSON.stringify({ from, to })), `${road} ${from}`).to.deep.equal(
            forbidden,
          )
        }
      const [, found] = await send(bob.token, 'GET', '/api/files/search?path=workspaces/agent-1&name=key')
      expect(JSON.parse(found), 'a search').to.deep.include({ items: [] })
      expect(await send(bob.token, 'GET', content('workspaces/agent-1/secret/absent')), 'what is not there').to.deep.equal(forbidden)
      expect((await fetch(made)).status, 'a URL from before').to.equal(403)
      expect(await send(bob.token, 'GET', content('workspaces/agent-1/open.txt'))).to.deep.equal([200, 'plain'])
    })
    expect(await (await fetch(made)).text()).to.equal('canary')
  })

  it('that forbid writing hold for uploads and deletions, whatever link leads there', async () => {
    const text = `forbid (principal, action == Action::"write_file", resource is File)
      when { resource.path like "workspaces/agent-1/secret/*" };`
    await withPolicy(text, async () => {
      for (const secret of secrets) {
        expect(await send(bob.token, 'PUT', content(secret), 'other'), secret).to.deep.equal(forbidden)
        expect(await send(bob.token, 'DELETE', content(secret)), secret).to.deep.equal(forbidden)
        expect(await send(bob.token, 'PUT', content(secret.replace('key', 'new')), 'other'), secret).to.deep.equal(forbidden)
        expect((await send(bob.token, 'GET', content(secret)))[0], secret).to.equal(200)
      }
    })
    expect(await readFile(path.join(root, 'workspaces', 'agent-1', 'secret', 'key.txt'), 'utf8')).to.equal('canary')
  })

  it('let an agent’s token read only workspaces, and that of an app or an MCP server nothing, as shipped', async () => {
    const issue = async (kind: Actor['kind']): Promise<string> => {
      const tokens = kernel.container.resolve(ephemeralTokensToken)
      return (await tokens.issue({ userId: bob.userId, actor: { kind, id: 'a1', purpose: 'sandbox' } })).token
    }
    const roads = async (token: string, file: string): Promise<readonly unknown[]> => [
      (await send(token, 'GET', content(file)))[0],
      (await presign(token, file))[0],
      (await send(token, 'GET', `/api/files?path=${path.posix.dirname(file)}`))[0],
    ]
    for (const kind of actorKinds) {
      const token = await issue(kind)
      expect(await roads(token, 'files/own.txt'), kind).to.deep.equal([403, 403, 403])
      const status = kind === 'agent' ? 200 : 403
      expect(await roads(token, 'workspaces/agent-1/open.txt'), kind).to.deep.equal([status, status, status])
      expect((await send(token, 'GET', '/api/files?path=workspaces'))[0], `${kind}: the list of workspaces`).to.equal(403)
    }
  })

  it('can let only one agent read a file', async () => {
    const tokens = kernel.container.resolve(ephemeralTokensToken)
    const tokenOf = async (id: string) =>
      (await tokens.issue({ userId: bob.userId, actor: { kind: 'agent', id, purpose: 'sandbox' } })).token
    const text = `permit (principal == Agent::"a7", action == Action::"read_file", resource is File)
      when { resource has owner && resource.owner == principal.owner && resource.path like "files/*" };`
    await withPolicy(text, async () => {
      expect(await send(await tokenOf('a7'), 'GET', content('files/own.txt'))).to.deep.equal([200, 'my own'])
      expect(await send(await tokenOf('a8'), 'GET', content('files/own.txt'))).to.deep.equal(forbidden)
    })
  })
})
