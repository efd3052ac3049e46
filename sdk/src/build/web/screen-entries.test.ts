import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { listScreens } from './screen-entries.js'
import { loadWebTools } from './vite.js'

describe('the screens that a plugin has in web/screens', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'screen-entries-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const write = async (...files: readonly string[]): Promise<void> => {
    for (const file of files) {
      await mkdir(path.dirname(path.join(folder, 'web/screens', file)), { recursive: true })
      await writeFile(path.join(folder, 'web/screens', file), '')
    }
  }
  const screen = (file: string): string => path.join(folder, 'web/screens', file)
  const refusal = async (): Promise<string> =>
    listScreens(folder).then(
      (found) => `found ${found.map(({ name }) => name).join()}`,
      (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
    )

  it('are its folders, by name, with what runs beside every screen and what the console shows within its own pages', async () => {
    await write('rolls/rolls.tsx', 'dice-board/dice-board.tsx', 'dice-board/start.ts', 'dice-board/row.tsx', 'notes.md')
    await write('rolls/set-up-step.tsx', 'rolls/user-tab.tsx')
    expect(await listScreens(folder)).to.deep.equal([
      { name: 'dice-board', component: screen('dice-board/dice-board.tsx'), start: screen('dice-board/start.ts') },
      { name: 'rolls', component: screen('rolls/rolls.tsx'), start: undefined },
      { name: 'rolls-step', component: screen('rolls/set-up-step.tsx'), start: undefined },
      { name: 'rolls-tab', component: screen('rolls/user-tab.tsx'), start: undefined },
    ])
  })

  it('are at least one', async () => {
    expect(await refusal()).to.match(/^plugin_build_failed: .*: there is no screen to build: web\/screens has a folder for each\.$/)
    await write('notes.md')
    expect(await refusal()).to.contain('there is no screen to build')
  })

  it('have a component of their name', async () => {
    await write('rolls/rolls.ts', 'rolls/start.ts')
    expect(await refusal()).to.match(/^plugin_build_failed: .*web\/screens\/rolls has no rolls\.tsx\. .*goes beside web\/screens\.$/)
  })

  for (const name of ['DiceBoard', 'dice_board', '1-dice', 'dice-', 'dice.board', 'x'.repeat(61)])
    it(`are not named ${name}`, async () => {
      await write(`${name}/${name}.tsx`)
      expect(await refusal()).to.contain(`“${name}” is no name of a screen: write it in kebab-case, such as “dice-board”`)
    })

  it('have names that fit also when what is shown within pages of the console is named after them', async () => {
    const name = 'x'.repeat(58)
    await write(`${name}/${name}.tsx`)
    expect(await refusal()).to.equal(`found ${name}`)
    await write(`${name}/user-tab.tsx`)
    expect(await refusal()).to.contain(`“${name}-tab” is no name of a screen`)
  })

  it('have names of their own', async () => {
    await write('rolls/rolls.tsx', 'rolls/set-up-step.tsx', 'rolls-step/rolls-step.tsx')
    expect(await refusal()).to.contain('two screens would be named “rolls-step”; rename the folder web/screens/rolls-step.')
  })

  it('are built with packages of the plugin, which are named where they are missing', async () => {
    await writeFile(path.join(folder, 'package.json'), '{}')
    expect(() => loadWebTools(folder)).to.throw(/packages that are missing\. Run: npm install --save-dev vite vite-plugin-solid solid-js$/)
  })
})
