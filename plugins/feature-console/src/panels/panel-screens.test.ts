import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Logger } from '@agent-service/sdk'
import type { ConsolePanel } from '@agent-service/sdk/contracts/console-panel'
import type { Contributed, Contributions } from '@agent-service/sdk/services/contributions'
import { expect } from 'chai'
import { ownPathOf } from './own-paths.js'
import { createPanelScreens } from './panel-screens.js'

const list = (module: string) => JSON.stringify({ specVersion: 1, screens: { dice: { module, styles: [], imports: [] } } })

describe('the screens of panels', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-screens-'))
    await writeFile(path.join(folder, 'dice-1.js'), 'export default () => 1')
    await writeFile(path.join(folder, 'screens.json'), list('dice-1.js'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const panel = (content: object = {}, pluginId = 'feature-dice'): Contributed<ConsolePanel> => ({
    key: 'dice',
    pluginId,
    value: {
      ...{ specVersion: 1, id: 'dice', title: { en: 'Dice' }, group: 'main' },
      content: { kind: 'screen', folder, screen: 'dice', ...content } as ConsolePanel['content'],
    },
  })
  const open = (...panels: readonly Contributed<ConsolePanel>[]) => {
    const lines: string[] = []
    const log = { error: (message: string) => lines.push(message) } as unknown as Logger
    const contributions = { list: () => panels } as unknown as Pick<Contributions, 'list'>
    return { screens: createPanelScreens({ contributions, log }), lines: () => lines }
  }

  it('are read again after a build', async () => {
    const { screens } = open()
    expect((await screens.read(panel()))?.module).to.equal('dice-1.js')
    await writeFile(path.join(folder, 'dice-2.js'), 'export default () => 2')
    await writeFile(path.join(folder, 'screens.json'), list('dice-2.js'))
    await utimes(path.join(folder, 'screens.json'), new Date(), new Date(Date.now() + 5_000))
    expect((await screens.read(panel()))?.module).to.equal('dice-2.js')
  })

  it('that cannot be shown are told once, with the plugin, the path and how to mend it, and shown when they are mended', async () => {
    await rm(path.join(folder, 'screens.json'))
    const { screens, lines } = open(panel())
    for (const _ of [1, 2]) expect(await screens.read(panel())).to.equal(undefined)
    expect(await screens.foldersOf('feature-dice')).to.deep.equal([])
    expect(lines()).to.deep.equal([
      `The panel “dice” of the plugin “feature-dice” is not shown: ${path.join(folder, 'screens.json')} is missing. Run the build of its plugin again (agent-service-plugin build).`,
    ])
    await writeFile(path.join(folder, 'screens.json'), list('dice-1.js'))
    expect(await screens.foldersOf('feature-dice')).to.deep.equal([folder])
    expect(await screens.foldersOf('feature-cards')).to.deep.equal([])
  })

  it('lie at no page of the console itself', async () => {
    for (const route of ['/sign-in', '/profile', '/profile/more', '/admin/users/:userId', '/panels/*', '/api/dice', '/assets'])
      expect(ownPathOf(route), route).to.be.a('string')
    for (const route of ['/', '/tasks', '/tasks/*', '/profiles', '/admin/usage', '/shares'])
      expect(ownPathOf(route), route).to.equal(undefined)
    const { screens, lines } = open()
    expect(await screens.read(panel({ routes: ['/dice', '/admin/settings/*'] }))).to.equal(undefined)
    expect(lines().join()).to.contain(
      '“feature-dice” is not shown: it claims /admin/settings/*, and /admin/settings belongs to the console itself',
    )
  })

  it('of several panels lie in the folders of both', async () => {
    const { screens } = open(panel(), panel({ folder: '/nowhere' }), panel({ kind: 'component' }), panel({}, 'feature-cards'))
    expect(await screens.foldersOf('feature-dice')).to.deep.equal([folder])
  })
})
