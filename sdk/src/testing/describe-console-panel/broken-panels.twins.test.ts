import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type ConsolePanel, defineConsolePanel, type PanelSection } from '../../contracts/console-panel/index.js'
import { Type } from '../../core/type.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeConsolePanel } from './index.js'

const base = '/api/plugins/tool-dice'
const route = (method: 'GET' | 'PUT' | 'DELETE', tail: string) => ({
  ...({ method, path: `${base}/${tail}`, answers: {} } as const),
  ...(method === 'PUT' && { body: { kind: 'json', schema: Type.Object({ sides: Type.Integer() }) } as const }),
})
const routes = [route('GET', 'rolls'), route('GET', 'totals'), route('PUT', 'rules'), route('DELETE', 'rolls/{roll_id}')]
const both = (text: string) => ({ en: text, de: text })

const table = {
  ...({ kind: 'table', title: both('Rolls'), source: `${base}/rolls`, key: 'id', empty: both('None') } as const),
  columns: [{ member: 'eyes', label: both('Eyes'), format: 'number' as const }],
  actions: [
    {
      label: both('Delete'),
      method: 'DELETE' as const,
      path: `${base}/rolls/{id}`,
      confirm: { title: both('Delete?'), text: both('It is gone then.') },
      done: both('Gone'),
    },
  ],
}
const form = {
  ...({ kind: 'form', schema: Type.Object({ sides: Type.Integer() }), action: both('Save'), done: both('Saved') } as const),
  save: { method: 'PUT', path: `${base}/rules` } as const,
  fields: { sides: { label: both('Sides') } },
}

const panelWith = (...sections: readonly PanelSection[]): ConsolePanel =>
  defineConsolePanel({ id: 'tool-dice', title: both('Dice'), group: 'main', content: { kind: 'sections', sections } })
const sound = (): ConsolePanel => panelWith(table, form)

async function failing(panel: object): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeConsolePanel({ name: 'dice', runner, routes, create: () => panel as ConsolePanel })
  const results = await runner.run({ testLimitMs: 1_000 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('console panel dice › ', ''))
}

const plain = 'is plain data'
const languages = 'has each text in the same languages'
const calls = 'calls routes that its plugin has'
const files = 'has files that a frame can run: one module that makes the element, without imports'

const faults: readonly (readonly [string, () => object, readonly string[]])[] = [
  ['an id that is none', () => ({ ...sound(), id: 'The Dice' }), [soundTitle]],
  ['an unknown member', () => ({ ...sound(), colour: 'red' }), [soundTitle]],
  ['settings outside of administration', () => panelWith({ kind: 'settings' }), [soundTitle]],
  ['a parameter without a row', () => panelWith({ ...form, save: { method: 'PUT', path: `${base}/rules/{id}` } }), [soundTitle, calls]],
  ['a name for a field that is not there', () => panelWith({ ...form, fields: { eyes: { label: both('Eyes') } } }), [soundTitle]],
  ['a function in it', () => ({ ...sound(), draw: () => undefined }), [soundTitle, plain]],
  ['a text in one language only', () => panelWith({ ...table, empty: { en: 'None' } }), [languages]],
  ['a source that the plugin does not have', () => panelWith({ ...table, source: `${base}/throws` }), [calls]],
  ['a method that the route does not have', () => panelWith({ ...form, save: { method: 'POST', path: `${base}/rules` } }), [calls]],
]

describe('describeConsolePanel', () => {
  it('passes a panel that keeps the contract', async () => {
    expect(await failing(sound())).to.deep.equal([])
  })

  for (const [what, panel, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect(await failing(panel())).to.deep.equal(titles)
    })
  }

  describe('for a component', () => {
    let folder: string
    before(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'agent-service-panel-'))
    })
    after(() => rm(folder, { recursive: true, force: true }))
    const failingWith = async (text: string, styles = ''): Promise<readonly string[]> => {
      const [module, sheet] = [path.join(folder, 'panel.js'), path.join(folder, 'panel.css')]
      await writeFile(module, text)
      await writeFile(sheet, styles)
      return failing({ ...sound(), content: { kind: 'component', element: 'dice-board', module, styles: sheet } })
    }
    const element = "customElements.define('dice-board', class extends HTMLElement {})\n"

    it('passes one module that makes the element', async () => {
      expect(await failingWith(`${element}export const importantly = import.meta.url\n`)).to.deep.equal([])
    })
    for (const [what, text, styles] of [
      ['a module without the element', 'export {}\n', ''],
      ['a module that imports', `import { html } from './lit.js'\n${element}`, ''],
      ['a module that is too large', `${element}// ${'x'.repeat(512 * 1024)}`, ''],
      ['styles that are too large', element, 'x'.repeat(128 * 1024 + 1)],
    ] as const) {
      it(`catches ${what}`, async () => {
        expect(await failingWith(text, styles)).to.deep.equal([files])
      })
    }
    it('catches a module that is missing', async () => {
      const content = { kind: 'component', element: 'dice-board', module: path.join(folder, 'none.js') }
      expect(await failing({ ...sound(), content })).to.deep.equal([files])
    })
  })
})
