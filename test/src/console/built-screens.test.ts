import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { reportOf, writePlugin } from '../authors/support/written-plugin.js'
import { type Api, confirm, signUp } from '../support/api.js'

const builtIns = fileURLToPath(new URL('../../../plugins', import.meta.url))
const permissions = [{ kind: 'console', reason: 'Draws dice.' }]
const script = 'export default () => "six"\n'.repeat(100)

const panelText = (id: string, folder: string, more = '', content = ''): string =>
  `context.contribute(consolePanels, { specVersion: 1, id: '${id}', title: { en: 'Dice' }, group: 'main', ${more}
    content: { kind: 'screen', folder: ${JSON.stringify(folder)}, screen: 'dice', ${content} } });`

/** What a build would write. */
async function build(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'more'), { recursive: true })
  const part = { module: 'dice-3f2a9c81.js', styles: ['dice-3f2a9c82.css'], imports: ['shared-3f2a9c83.js'] }
  const files: Readonly<Record<string, string | Buffer>> = {
    'dice-3f2a9c81.js': script,
    'dice-3f2a9c81.js.gz': gzipSync(script),
    'dice-3f2a9c82.css': '.dice{color:red}',
    'shared-3f2a9c83.js': 'export const a = 1',
    'start-3f2a9c84.js': 'export function start() {}',
    'page.html': '<!doctype html><script src="/dice.js"></script>',
    'more/deep.js': 'secret',
    '.env': 'secret',
    'screens.json': JSON.stringify({
      specVersion: 1,
      screens: { dice: { ...part, start: { module: 'start-3f2a9c84.js', styles: [], imports: [] } } },
    }),
    'screens.json.gz': 'secret',
  }
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content)
  await writeFile(path.join(folder, '..', 'outside.js'), 'secret')
  await symlink(path.join(folder, '..', 'outside.js'), path.join(folder, 'leak.js'))
  await symlink(path.join(folder, 'screens.json'), path.join(folder, 'list.js'))
}

describe('screens that plugins have built', function () {
  this.timeout(60_000)
  let folder: string
  let kernel: TestKernel
  let ada: Api
  let grace: Api
  const places: Record<string, string> = {}

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-service-built-')))
    const builtInFolder = path.join(folder, 'plugins')
    const webOf = (place: string): string => path.join(place, 'dist', 'web')
    const write = async (place: string, manifest: object, setup: string): Promise<string> => {
      const id = path.basename(place)
      await writePlugin(place, { manifest: { id, contributes: ['console.panel'], ...manifest }, setup })
      await build(webOf(place))
      places[id] = place
      return place
    }
    const own = path.join(builtInFolder, 'feature-dice')
    const groups = ['main', 'personal', 'admin', 'none', 'user', 'set_up'].map((group) =>
      panelText(
        `dice-${group.replace('_', '-')}`,
        webOf(own),
        `group: '${group}', keywords: { en: 'cubes' },`,
        group === 'main' ? "routes: ['/dice', '/dice/:rollId']," : '',
      ),
    )
    await write(own, {}, groups.join('\n'))
    await write(
      path.join(builtInFolder, 'feature-rival'),
      {},
      panelText('rival', webOf(path.join(builtInFolder, 'feature-rival')), '', "routes: ['/dice/:id'],"),
    )
    await write(
      path.join(builtInFolder, 'feature-usurper'),
      {},
      panelText('usurper', webOf(path.join(builtInFolder, 'feature-usurper')), '', "routes: ['/sign-in'],"),
    )
    for (const id of ['database-sqlite', 'policy-cedar', 'feature-console'])
      await symlink(path.join(builtIns, id), path.join(builtInFolder, id))
    const third = ['tool-dice', 'tool-open', 'tool-paths', 'tool-unbuilt', 'tool-elsewhere'].map((id) => path.join(folder, id))
    const [dice = '', open = '', paths = '', unbuilt = '', elsewhere = ''] = third
    await write(dice, { permissions }, panelText('tool-dice', webOf(dice)))
    await write(open, {}, panelText('tool-open', webOf(open)))
    await write(elsewhere, { permissions }, panelText('tool-elsewhere', webOf(dice)))
    await write(paths, { permissions }, panelText('tool-paths', webOf(paths), '', "routes: ['/dice/mine'],"))
    await write(unbuilt, { permissions }, panelText('tool-unbuilt', webOf(unbuilt)))
    for (const name of ['screens.json', 'list.js']) await rm(path.join(webOf(unbuilt), name))
    kernel = await createTestKernel({ folder: path.join(folder, 'service'), builtInFolder, plugins: third })
    ada = await signUp(kernel.url, 'ada')
    grace = await signUp(kernel.url, 'grace')
    await confirm(ada)
  })
  after(async () => {
    await kernel?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  type Item = Readonly<Record<string, unknown>> & { readonly id: string }
  const panelsOf = async (person: Api): Promise<readonly Item[]> =>
    (await person.request('GET', '/api/console/panels')).body['items'] as readonly Item[]
  const idsOf = async (person: Api): Promise<readonly string[]> => (await panelsOf(person)).map(({ id }) => id)
  const get = (file: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    fetch(`${kernel.url}/assets/plugins/${file}`, { method, headers: { 'accept-encoding': 'identity', ...headers } })

  it('are listed with the addresses of their files and the patterns of their pages', async () => {
    const items = await panelsOf(ada)
    const at = (file: string): string => `/assets/plugins/tool-dice/${file}`
    expect(items.find(({ id }) => id === 'tool-dice')).to.deep.include({
      plugin_id: 'tool-dice',
      keywords: null,
      page_routes: ['/panels/tool-dice', '/panels/tool-dice/*'],
      routes: [],
      content: {
        kind: 'screen',
        ...{ module: at('dice-3f2a9c81.js'), styles: [at('dice-3f2a9c82.css')], imports: [at('shared-3f2a9c83.js')], kit: [] },
        start: { module: at('start-3f2a9c84.js'), styles: [], imports: [], kit: [] },
      },
    })
    expect(Object.fromEntries(items.map(({ id, page_routes }) => [id, page_routes]))).to.deep.include({
      'dice-main': ['/dice', '/dice/:rollId'],
      'dice-admin': ['/admin/panels/dice-admin', '/admin/panels/dice-admin/*'],
      'dice-none': ['/panels/dice-none', '/panels/dice-none/*'],
      ...{ 'dice-user': [], 'dice-set-up': [] },
    })
    expect(items.find(({ id }) => id === 'dice-main')).to.deep.include({ keywords: { en: 'cubes' }, group: 'main' })
  })

  it('for administrators, tabs of users and steps of the set-up are unknown to others', async () => {
    const ofAda = await idsOf(ada)
    const ofGrace = await idsOf(grace)
    expect(ofAda.filter((id) => !ofGrace.includes(id))).to.deep.equal(['dice-admin', 'dice-set-up', 'dice-user'])
    expect(ofGrace).to.deep.equal(['dice-main', 'dice-none', 'dice-personal', 'tool-dice'])
  })

  it('are served with the policy, the caching and the compressed copies of the console', async () => {
    const page = await fetch(`${kernel.url}/`, { headers: { accept: 'text/html' } })
    for (const plugin of ['tool-dice', 'feature-dice']) {
      const answer = await get(`${plugin}/dice-3f2a9c81.js`)
      expect([answer.status, await answer.text()]).to.deep.equal([200, script])
      // What can be opened as a page has the whole policy; a script the part that it obeys as a worker, so that it sends nothing elsewhere.
      const opened = await get(`${plugin}/page.html`)
      for (const name of ['content-security-policy', 'permissions-policy', 'x-frame-options', 'x-content-type-options'])
        expect(opened.headers.get(name), name).to.equal(page.headers.get(name)).and.not.equal(null)
      const [whole = [], part = []] = [page, answer].map(({ headers }) => headers.get('content-security-policy')?.split('; '))
      expect(whole).to.include.members(part)
      expect(part).to.include.members([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "require-trusted-types-for 'script'",
      ])
      expect([answer.headers.get('permissions-policy'), answer.headers.get('x-content-type-options')]).to.deep.equal([null, 'nosniff'])
      expect(answer.headers.get('content-type')).to.equal('text/javascript; charset=utf-8')
      expect(answer.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable')
      const etag = answer.headers.get('etag') ?? ''
      expect((await get(`${plugin}/dice-3f2a9c81.js`, { 'if-none-match': etag })).status).to.equal(304)
      const packed = await get(`${plugin}/dice-3f2a9c81.js`, { 'accept-encoding': 'gzip' })
      expect([packed.headers.get('content-encoding'), await packed.text()]).to.deep.equal(['gzip', script])
      const head = await get(`${plugin}/dice-3f2a9c82.css`, {}, 'HEAD')
      expect([head.status, head.headers.get('content-type'), await head.text()]).to.deep.equal([200, 'text/css; charset=utf-8', ''])
      expect((await get(`${plugin}/dice-3f2a9c81.js`, {}, 'POST')).status).to.equal(405)
    }
    expect((await get('tool-dice/page.html')).headers.get('cache-control')).to.equal('no-cache')
  })

  it('are served from their folders alone, without what is hidden, links that lead out, and the list itself', async () => {
    for (const file of [
      ...['tool-dice/gone.js', 'tool-dice/more/deep.js', 'tool-dice/more', 'tool-dice/', 'tool-dice', ''],
      ...[
        'tool-dice/.env',
        'tool-dice/%2eenv',
        'tool-dice/leak.js',
        'tool-dice/..%2foutside.js',
        'tool-dice/%2e%2e/outside.js',
        'tool-dice/..%5coutside.js',
      ],
      ...['tool-dice/screens.json', 'tool-dice/screens.json.gz', 'tool-dice/list.js', 'tool-dice/screens%2ejson'],
      ...['tool-unbuilt/dice-3f2a9c81.js', 'feature-usurper/dice-3f2a9c81.js', 'tool-open/dice-3f2a9c81.js', 'feature-console/index.html'],
      ...['..%2f..%2ftool-dice/dice-3f2a9c81.js', '%2e%2e/dice-3f2a9c81.js', 'constructor/dice-3f2a9c81.js'],
    ]) {
      const answer = await get(file, { accept: 'text/html' })
      expect(answer.status, file).to.be.oneOf([400, 404])
      expect(await answer.text(), file).to.not.contain('secret')
    }
  })

  it('need the permission of whoever installs them, no path that belongs to others, and a build', async () => {
    const reasonOf = (id: string): string => {
      const { state, reason } = reportOf(kernel.plugins.report(), places[id] ?? '')
      return `${state} ${reason ?? ''}`
    }
    expect(reasonOf('tool-dice')).to.equal('active ')
    expect(reasonOf('tool-open')).to.match(/^failed .*rights of whoever is signed in.*“permissions” of the manifest/)
    expect(reasonOf('tool-paths')).to.match(/^failed .*only built-in plugins choose the paths of their pages/)
    expect(reasonOf('tool-elsewhere')).to.match(/^failed .*must lie in the package of its plugin/)
    const rivals = kernel.plugins.report().filter(({ id, state }) => ['feature-dice', 'feature-rival'].includes(id) && state === 'failed')
    expect(rivals.map(({ id, reason }) => `${id}: ${reason}`).join()).to.match(
      /^feature-rival: .*“feature-rival” claims “\/dice\/:…”.*“feature-dice” already has that/,
    )
    const lines = kernel.log.map(({ message, msg }) => String(message ?? msg))
    expect(
      lines.filter((line) => line.includes('“usurper” of the plugin “feature-usurper” is not shown: it claims /sign-in')),
    ).to.have.length(1)
    expect(
      lines.filter(
        (line) => line.includes('tool-unbuilt') && line.includes('screens.json is missing') && line.includes('agent-service-plugin build'),
      ),
    ).to.have.length(1)
  })

  it('are gone at once when their plugin is disabled, and every open page is told', async () => {
    const streams = [await ada.stream(), await grace.stream()]
    for (const [change, status] of [
      ['disable', 404],
      ['enable', 200],
    ] as const) {
      const seen = streams.map(({ events }) => events.length)
      expect((await ada.request('POST', `/api/admin/plugins/tool-dice/${change}`)).status).to.equal(200)
      expect((await get('tool-dice/dice-3f2a9c81.js')).status).to.equal(status)
      expect((await idsOf(grace)).includes('tool-dice')).to.equal(status === 200)
      for (const [index, stream] of streams.entries())
        expect((await stream.next(seen[index] ?? 0, ({ name }) => name === 'console.panels_changed')).data).to.deep.equal({})
    }
    for (const stream of streams) stream.close()
  })

  it('are shown without a restart when they are built', async () => {
    const web = path.join(places['tool-unbuilt'] ?? '', 'dist', 'web')
    await rm(web, { recursive: true })
    await build(web)
    expect(await idsOf(grace)).to.include('tool-unbuilt')
    expect((await get('tool-unbuilt/dice-3f2a9c81.js')).status).to.equal(200)
  })
})
