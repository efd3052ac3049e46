import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type ConsolePanel, defineConsolePanel } from '../../contracts/console-panel/index.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeConsolePanel } from './index.js'

const both = (text: string) => ({ en: text, de: text })
const title = 'has a built screen: its files with all that they import, a component, and what it starts'
const languages = 'has each text in the same languages'

const component = 'import{t}from"./shared-x2.js";const c=()=>t;export{c as default};'
const started = 'import"./shared-x2.js";function begin(){}export{begin as start};'
const list = {
  specVersion: 1,
  screens: {
    dice: {
      ...{ module: 'dice-x1.js', styles: ['dice-x1.css'], imports: ['shared-x2.js'] },
      start: { module: 'start-x3.js', styles: [] as string[], imports: ['shared-x2.js'] },
    },
  },
}
const { dice } = list.screens
const withDice = (change: object): string => JSON.stringify({ ...list, screens: { dice: { ...dice, ...change } } })

const sound: Readonly<Record<string, string | undefined>> = {
  'screens.json': JSON.stringify(list),
  'dice-x1.js': component,
  'dice-x1.css': '.dice{color:var(--accent)}',
  'shared-x2.js': 'const t="six";export{t};',
  'start-x3.js': started,
}

describe('describeConsolePanel, for a screen', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'agent-service-screen-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const screen = (change: object = {}, content: object = {}): ConsolePanel => ({
    ...defineConsolePanel({
      id: 'tool-dice',
      title: both('Dice'),
      group: 'main',
      content: { kind: 'screen', folder, screen: 'dice', ...content },
    }),
    ...change,
  })
  async function failing(panel: ConsolePanel, files: Readonly<Record<string, string | undefined>> = {}): Promise<readonly string[]> {
    for (const [name, text] of Object.entries({ ...sound, ...files }))
      if (text !== undefined) await writeFile(path.join(folder, name), text)
    const runner = createCollectingRunner()
    describeConsolePanel({ name: 'dice', runner, create: () => panel })
    const results = await runner.run()
    return results.filter(({ error }) => error !== undefined).map((result) => result.title.replace('console panel dice › ', ''))
  }

  it('passes one that keeps the contract, in each group', async () => {
    for (const group of ['main', 'personal', 'admin', 'none', 'user', 'set_up'] as const)
      expect(await failing(screen({ group, keywords: both('cubes') })), group).to.deep.equal([])
    for (const exported of ['export default()=>1', 'const a=1;export{a as b,a as default}', 'export default function Dice(){}'])
      expect(await failing(screen(), { 'dice-x1.js': exported }), exported).to.deep.equal([])
    for (const exported of [
      'export function start(){}',
      'export const start=()=>1',
      'const start=1;export{start}',
      'const a=1,b=2;export{b as c,a as start}',
    ])
      expect(await failing(screen(), { 'start-x3.js': exported }), exported).to.deep.equal([])
  })

  for (const [what, files] of [
    ['a folder that nothing was built into', { 'screens.json': undefined }],
    ['a list that is no JSON', { 'screens.json': '{' }],
    ['a list of another generation', { 'screens.json': JSON.stringify({ ...list, specVersion: 2 }) }],
    ['a list with a member that there is not', { 'screens.json': withDice({ colour: 'red' }) }],
    ['a list without the screen', { 'screens.json': JSON.stringify({ ...list, screens: { cards: dice } }) }],
    ['a module in a folder of the folder', { 'screens.json': withDice({ module: 'more/dice.js' }) }],
    ['a module outside of the folder', { 'screens.json': withDice({ module: '../dice.js' }) }],
    ['a style sheet as a module', { 'screens.json': withDice({ module: 'dice-x1.css' }) }],
    ['a module that is missing', { 'dice-x1.js': undefined }],
    ['a style sheet that is missing', { 'dice-x1.css': undefined }],
    ['an import that is missing', { 'shared-x2.js': undefined }],
    ['a module of the start that is missing', { 'start-x3.js': undefined }],
    ['a module that is no JavaScript', { 'dice-x1.js': `${component} const = 1` }],
    ['an import that is no JavaScript', { 'shared-x2.js': 'export const t = <b>six</b>' }],
    ['a module without a component', { 'dice-x1.js': 'const c=1;export{c as dice};' }],
    ['a start that nothing can call', { 'start-x3.js': 'const a=1;export{a as restart};export const started=1' }],
    ['an import that the list does not name', { 'screens.json': withDice({ imports: [] }) }],
    ['an import of an import that the list does not name', { 'shared-x2.js': 'import"./start-x3.js";const t=1;export{t};' }],
  ] as const) {
    it(`catches ${what}`, async () => {
      expect(await failing(screen(), files)).to.deep.equal([title])
    })
  }

  it('catches a file that is a folder', async () => {
    await mkdir(path.join(folder, 'shared-x2.js'))
    expect(await failing(screen(), { 'shared-x2.js': undefined })).to.deep.equal([title])
  })

  for (const [what, change, content, titles] of [
    ['a folder that is relative', {}, { folder: './web/' }, [soundTitle, title]],
    ['a screen whose name is none', {}, { screen: 'The Dice' }, [soundTitle, title]],
    ['a start in the panel', {}, { start: true }, [soundTitle]],
    ['a group that there is not', { group: 'footer' }, {}, [soundTitle]],
    ['keywords in one language', { keywords: { en: 'cubes' } }, {}, [languages]],
    ['no pages', {}, { routes: [] }, [soundTitle]],
    ['a page twice', {}, { routes: ['/dice', '/dice'] }, [soundTitle]],
    ['a page that is every page', {}, { routes: ['/*'] }, [soundTitle]],
    ['a page whose first part is anything', {}, { routes: ['/:page'] }, [soundTitle]],
    ['a rest in the middle', {}, { routes: ['/dice/*/sides'] }, [soundTitle]],
    ['a page with a slash at its end', {}, { routes: ['/dice/'] }, [soundTitle]],
    ['a page with a query', {}, { routes: ['/dice?show=1'] }, [soundTitle]],
    ['a page of administration for everyone', {}, { routes: ['/admin/dice'] }, [soundTitle]],
    ['a page for administrators beside administration', { group: 'admin' }, { routes: ['/dice'] }, [soundTitle]],
    ['a page that is all of administration', { group: 'admin' }, { routes: ['/admin/*'] }, [soundTitle]],
    ['a page of a tab', { group: 'user' }, { routes: ['/dice'] }, [soundTitle]],
    ['a page of a step', { group: 'set_up' }, { routes: ['/dice'] }, [soundTitle]],
  ] as const) {
    it(`catches ${what}`, async () => {
      expect(await failing(screen(change, content))).to.deep.equal(titles)
    })
  }

  it('catches data as a tab or a step', async () => {
    const content = { kind: 'sections', sections: [{ kind: 'text', text: both('Six of them.') }] } as const
    for (const group of ['user', 'set_up'] as const)
      expect(await failing({ ...screen(), group, content }), group).to.deep.equal([soundTitle])
  })
})
