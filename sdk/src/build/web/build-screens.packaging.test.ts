import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { checkBuiltScreens, filesOfScreen } from '../../contracts/console-panel/built-screens.js'
import { readBuiltScreen, readBuiltScreens } from '../../contracts/console-panel/read-built-screens.js'
import { buildScreens, hasScreens } from './build-screens.js'

const packages = fileURLToPath(new URL('../../../../node_modules/', import.meta.url))

/** Two screens: one with everything that a screen may have, and one that shares styles, and nothing else, with it. */
const sources: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "dice", "type": "module" }',
  'vite.config.mjs': `export default { define: { SIDES: '6' } }`,
  'web/look/look.ts': `import './look.css'\nexport {}\n`,
  'web/look/look.css': '.look { color: red }\n',
  'web/dice.ts': `import { createSignal } from 'solid-js'
export const [rolled, setRolled] = createSignal(0)
export const roll = () => setRolled(1 + Math.floor(Math.random() * SIDES))
`,
  'web/screens/dice-board/dice-board.tsx': `import { Button, lazyPart, Page } from '@agent-service/sdk/web'
import { TextForm } from '@agent-service/sdk/web/forms'
import { createStore } from 'solid-js/store'
import { For } from 'solid-js'
import '../../look/look.js'
import './dice-board.css'
import { roll, rolled } from '../../dice.js'
const History = lazyPart(() => import('./history.js'), (module) => module.History)
export default function DiceBoard() {
  const [rolls] = createStore([1, 2])
  return <Page title="Dice"><p class="dice">{rolled()}</p><For each={rolls}>{(each) => <b>{each}</b>}</For><Button onClick={roll}>Roll</Button><History /><TextForm /></Page>
}
`,
  'web/screens/dice-board/dice-board.css': '.dice { color: blue; background: url(./dots.png) }\n',
  'web/screens/dice-board/dots.png': 'dots',
  'web/screens/dice-board/history.tsx': `import './history.css'\nexport const History = () => <ul class="history"><li>6</li></ul>\n`,
  'web/screens/dice-board/history.css': '.history { color: green }\n',
  'web/screens/dice-board/start.ts': `import { addScreenCount } from '@agent-service/sdk/web'
import { rolled } from '../../dice.js'
export const start = () => addScreenCount('dice-board', rolled)
`,
  'web/screens/dice-board/set-up-step.tsx': `import { defineSetUpStep } from '@agent-service/sdk/web'
export default defineSetUpStep({ name: 'dice', component: () => <p>Choose dice</p> })
`,
  'web/screens/rolls/rolls.tsx': `import '../../look/look.js'\nexport default () => <p class="look">Rolls</p>\n`,
  'web/screens/rolls/user-tab.tsx': `export default () => <p>Rolls of a user</p>\n`,
}

describe('building the screens of a plugin', function () {
  this.timeout(60_000)
  let folder: string
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'build-screens-'))
    await mkdir(path.join(folder, 'node_modules'))
    for (const name of ['vite', 'vite-plugin-solid', 'solid-js'])
      await symlink(path.join(packages, name), path.join(folder, 'node_modules', name))
    for (const [file, text] of Object.entries(sources)) await write(file, text)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
    await writeFile(path.join(folder, file), text)
  }
  const built = (file: string): string => path.join(folder, 'dist/web', file)
  const textOf = (file: string): Promise<string> => readFile(built(file), 'utf8')
  const names = async (): Promise<readonly string[]> => (await readdir(built(''))).filter((name) => !/\.(br|gz)$/.test(name)).sort()
  const failure = (): Promise<string> =>
    buildScreens(folder).then(
      () => 'built',
      (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
    )

  it('makes files with hashed names, and says of each screen which ones it is made of', async () => {
    expect(hasScreens(folder)).to.equal(true)
    expect(await buildScreens(folder)).to.deep.equal({
      folder: path.join(folder, 'dist/web'),
      screens: ['dice-board', 'dice-board-step', 'rolls', 'rolls-tab'],
    })
    expect(checkBuiltScreens(JSON.parse(await textOf('screens.json')))).to.deep.equal([])
    const { screens } = await readBuiltScreens(built(''))
    expect(Object.keys(screens)).to.deep.equal(['dice-board', 'dice-board-step', 'rolls', 'rolls-tab'])
    for (const name of Object.keys(screens)) await readBuiltScreen(built(''), name)
    const board = screens['dice-board']
    expect(board?.module).to.match(/^dice-board-[\w-]+\.js$/)
    expect(board?.start?.module).to.match(/^dice-board\.start-[\w-]+\.js$/)
    expect(board?.imports).to.deep.equal(board?.start?.imports).and.to.have.length(1)
    expect(screens['rolls']?.start).to.equal(undefined)
  })

  it('has the styles of a screen in files, those too that are all that a shared module has', async () => {
    const { screens } = await readBuiltScreens(built(''))
    const [board, rolls] = [screens['dice-board']?.styles ?? [], screens['rolls']?.styles ?? []]
    const shared = board.filter((file) => rolls.includes(file))
    expect([board.length, rolls.length, shared.length]).to.deep.equal([2, 1, 1])
    expect(await textOf(shared[0] ?? '')).to.contain('.look')
    expect(screens['rolls']?.imports, 'a module without content').to.deep.equal([])
    const own = await textOf(board.find((file) => !shared.includes(file)) ?? '')
    expect(own).to.match(/\.dice\{.*url\((\.\/)?dots-[\w-]+\.png\)/)
  })

  it('leaves for later what a screen loads later', async () => {
    const { screens } = await readBuiltScreens(built(''))
    const named = new Set(Object.values(screens).flatMap(filesOfScreen))
    const later = (await names()).filter((name) => !named.has(name) && /\.(js|css)$/.test(name))
    expect(later.map((name) => name.replace(/-[\w-]+\./, '.'))).to.have.members(['history.js', 'history.css'])
    expect(await textOf(screens['dice-board']?.module ?? '')).to.contain(later.find((name) => name.endsWith('.js')))
  })

  it('has nothing of Solid or the kit in it: they are loaded from the console', async () => {
    const modules = (await names()).filter((name) => name.endsWith('.js'))
    const texts = await Promise.all(modules.map(textOf))
    const imported = texts.flatMap((text) => [...text.matchAll(/\b(?:from|import)\s*\(?["'`]([^"'`]+)["'`]/g)].map(([, from = '']) => from))
    const shared = new Set(imported.filter((from) => from.startsWith('../')))
    expect([...shared]).to.have.members(['../../kit/web.js', '../../kit/forms.js', '../../kit/solid.js'])
    for (const from of imported.filter((each) => !shared.has(each))) expect(modules).to.include(from.replace('./', ''))
    expect(Buffer.byteLength(texts.join('')), 'Solid alone has more').to.be.lessThan(6_000)
  })

  it('follows the configuration of the plugin', async () => {
    const { screens } = await readBuiltScreens(built(''))
    expect(await textOf(screens['dice-board']?.imports[0] ?? '')).to.match(/Math\.random\(\)\s*\*\s*6/)
  })

  it('gives files the same names and contents again, and leaves none of before', async () => {
    const before = await names()
    const contents = await Promise.all(before.map(textOf))
    await write('dist/web/stale-1.js', 'export {}')
    await buildScreens(folder)
    expect(await names()).to.deep.equal(before)
    expect(await Promise.all(before.map(textOf))).to.deep.equal(contents)
    expect(await readdir(path.join(folder, 'dist'))).to.have.members(['web', 'web-chunks.json'])
  })

  it('says where a source cannot be compiled, and what is imported that screens cannot have', async () => {
    await write('web/screens/rolls/rolls.tsx', 'export default () => <p>')
    expect(await failure()).to.match(/^plugin_build_failed: .*web\/screens could not be built: [\s\S]*rolls\.tsx/)
    await write('web/screens/rolls/rolls.tsx', `import { openSession } from '@agent-service/sdk/web/host'\nexport default openSession\n`)
    expect(await failure()).to.match(/^plugin_build_failed: [\s\S]*@agent-service\/sdk\/web\/host/)
    await write('web/screens/rolls/rolls.tsx', sources['web/screens/rolls/rolls.tsx'] ?? '')
  })

  it('puts only those texts into a screen that it imports, and refuses catalogues with problems', async () => {
    const catalogue = (title: string): string => JSON.stringify({ rolls: { title }, other: { title: 'Of another screen' } })
    await write('web/texts/en.json', catalogue('All rolls'))
    await write('web/texts/de.json', catalogue('Alle Würfe'))
    const screen = `import { rolls as en } from '../../texts/en.json'\nexport default () => <p>{en.title}</p>\n`
    await write('web/screens/rolls/rolls.tsx', screen)
    await buildScreens(folder)
    const texts = await Promise.all((await names()).filter((name) => name.endsWith('.js')).map(textOf))
    expect(texts.join('\n')).to.contain('All rolls').and.not.to.contain('Of another screen')
    await write('web/texts/de.json', JSON.stringify({ rolls: { title: '' }, other: {} }))
    expect(await failure()).to.match(
      /^plugin_build_failed: .*web\/texts\/de\.json, rolls\.title: is empty; [^\n]*\nweb\/texts\/de\.json, other\.title: is missing;/,
    )
    await write('web/screens/rolls/rolls.tsx', screen.replace('{ rolls as', '{ cards as'))
    await write('web/texts/de.json', catalogue('Alle Würfe'))
    expect(await failure()).to.match(/^plugin_build_failed: [\s\S]*has no group “cards”; its groups are: rolls, other/)
    await write('web/screens/rolls/rolls.tsx', sources['web/screens/rolls/rolls.tsx'] ?? '')
  })

  it('is not for a web app with a page of its own', async () => {
    await write('web/index.html', '<!doctype html>')
    expect(hasScreens(folder)).to.equal(false)
  })
})
