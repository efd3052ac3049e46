import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startTestServer, type TestServer } from '@agent-service/kernel-core/http/testing'
import { expect } from 'chai'
import { createStaticFiles } from './static-files.js'

describe('the files of plugins in a web interface', () => {
  let folder: string
  let server: TestServer
  let asked: string[]
  let folders: Readonly<Record<string, readonly string[]>>
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-plugin-files-'))
    for (const name of ['own/assets/plugins/dice', 'one', 'two', 'one/inner']) await mkdir(path.join(folder, name), { recursive: true })
    await writeFile(path.join(folder, 'own/index.html'), '<h1>own</h1>')
    await writeFile(path.join(folder, 'own/assets/plugins/dice/own.js'), 'of the interface')
    await writeFile(path.join(folder, 'one/a.js'), 'one')
    await writeFile(path.join(folder, 'one/index.html'), '<a href="/chats">one</a>')
    await writeFile(path.join(folder, 'one/inner/deep.js'), 'secret')
    await writeFile(path.join(folder, 'one/screens.json'), 'secret')
    await writeFile(path.join(folder, 'one/.hidden'), 'secret')
    await writeFile(path.join(folder, 'two/b.js'), 'two')
    await symlink(path.join(folder, 'two/b.js'), path.join(folder, 'one/leak.js'))
    await symlink(path.join(folder, 'one/.hidden'), path.join(folder, 'one/shown.js'))
    await symlink(path.join(folder, 'one/screens.json'), path.join(folder, 'one/list.json'))
    const pluginFolders = async (id: string): Promise<readonly string[]> => {
      asked.push(id)
      return Object.hasOwn(folders, id) ? (folders[id] ?? []) : []
    }
    const fallback = () => ({
      folder: path.join(folder, 'own'),
      contentSecurityPolicy: "default-src 'self'",
      permissionsPolicy: 'usb=()',
      pluginFolders,
    })
    const pages = createStaticFiles({ folder: path.join(folder, 'configured'), version: '1', basePath: '/agents', fallback })
    server = await startTestServer({ pages })
  })
  beforeEach(() => {
    asked = []
    folders = { dice: [path.join(folder, 'gone'), path.join(folder, 'one')], cards: [path.join(folder, 'two')] }
  })
  after(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })
  const get = async (target: string): Promise<readonly [number, string]> => {
    const answer = await server.fetch(target, { headers: { accept: 'text/html' } })
    return [answer.status, await answer.text()]
  }

  it('are those of its folders, asked for at each request, with the policies of the interface and as they are', async () => {
    const answer = await server.fetch('/assets/plugins/dice/a.js')
    expect([answer.status, await answer.text()]).to.deep.equal([200, 'one'])
    // A script asks for no device, so that it has the part of the policies for workers alone: file-policies.test.ts.
    const page = await server.fetch('/assets/plugins/dice/index.html')
    expect([page.status, await page.text()]).to.deep.equal([200, '<a href="/chats">one</a>'])
    const policies = ({ headers }: Response) => [headers.get('content-security-policy'), headers.get('permissions-policy')]
    expect([policies(answer), policies(page)]).to.deep.equal([
      ["default-src 'self'", null],
      ["default-src 'self'", 'usb=()'],
    ])
    expect(await get('/assets/plugins/cards/b.js')).to.deep.equal([200, 'two'])
    expect(asked).to.deep.equal(['dice', 'dice', 'cards'])
    folders = {}
    expect((await get('/assets/plugins/dice/a.js'))[0]).to.equal(404)
  })

  it('are neither others nor pages of the interface', async () => {
    for (const target of [
      ...[
        'dice/b.js',
        'dice/own.js',
        'dice/leak.js',
        'dice/shown.js',
        'dice/.hidden',
        'dice/inner/deep.js',
        'dice/inner',
        'dice/',
        'dice',
        '',
      ],
      ...['dice/screens.json', 'dice/list.json', 'none/a.js', 'dice//a.js', '/dice/a.js', 'dice/a.js/', 'dice/a.js%00', 'constructor/a.js'],
    ]) {
      const [status, text] = await get(`/assets/plugins/${target}`)
      expect(status, target).to.be.oneOf([400, 404])
      expect(text, target).to.not.match(/secret|<h1>|interface/)
    }
  })

  it('are there beside a configured folder too, which has none of its own', async () => {
    const configured = path.join(folder, 'configured')
    await mkdir(path.join(configured, 'assets/plugins/dice'), { recursive: true })
    await writeFile(path.join(configured, 'assets/plugins/dice/c.js'), 'configured')
    try {
      expect(await get('/assets/plugins/dice/a.js')).to.deep.equal([200, 'one'])
      expect((await get('/assets/plugins/dice/c.js'))[0]).to.equal(404)
    } finally {
      await rm(configured, { recursive: true })
    }
  })
})
