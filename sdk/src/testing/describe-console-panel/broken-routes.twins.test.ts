import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type ConsolePanel, defineConsolePanel, type PanelSection } from '../../contracts/console-panel/index.js'
import { noContent, ok } from '../../contracts/http-route/responses.js'
import { defineRoute, type HttpRoute } from '../../contracts/http-route/route.js'
import { Type } from '../../core/type.js'
import { pageQuerySchema, pageSchema } from '../../paging/paging.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeConsolePanel } from './index.js'

const base = '/api/plugins/tool-dice'
const both = (text: string) => ({ en: text, de: `${text} (de)` })
const row = Type.Object({ id: Type.String(), won: Type.Boolean(), eyes: Type.Array(Type.Integer()) })
const rules = Type.Object({ sides: Type.Integer() })
const given = { auth: 'user', summary: 'It' } as const
const answer = (schema: typeof rules) => ({ 200: { description: 'It.', schema } })

const list = defineRoute({
  ...({ ...given, method: 'GET', path: `${base}/rolls`, operationId: 'toolDiceList', query: pageQuerySchema } as const),
  answers: { 200: { description: 'It.', schema: pageSchema(row) } },
  handle: async () => ok({ items: [], next_cursor: null }),
})
const remove = defineRoute({
  ...({ ...given, method: 'DELETE', path: `${base}/rolls/{roll_id}`, operationId: 'toolDiceDelete' } as const),
  answers: { 204: { description: 'Gone.' } },
  handle: async () => noContent(),
})
const removeAll = { ...remove, path: `${base}/rolls`, operationId: 'toolDiceClear' }
const read = defineRoute({
  ...({ ...given, method: 'GET', path: `${base}/rules`, operationId: 'toolDiceRead', answers: answer(rules) } as const),
  handle: async () => ok({ sides: 6 }),
})
const write = defineRoute({
  ...({ ...given, method: 'PUT', path: `${base}/rules`, operationId: 'toolDiceWrite', answers: answer(rules) } as const),
  body: { kind: 'json', schema: rules },
  handle: async ({ body }) => ok(body),
})
const plainRoutes: readonly HttpRoute[] = [list, remove, removeAll, read, write]

const confirm = { title: both('Delete it?'), text: both('It is gone then.') }
const table = {
  ...({ kind: 'table', title: both('Rolls'), source: `${base}/rolls`, key: 'id', empty: both('None') } as const),
  columns: [{ member: 'won', label: both('Won'), format: 'yes_no' as const }],
  actions: [{ label: both('Delete'), method: 'DELETE' as const, path: `${base}/rolls/{id}`, confirm, done: both('Gone') }],
}
const form = {
  ...({ kind: 'form', title: both('Rules'), schema: rules, load: `${base}/rules`, action: both('Save'), done: both('Saved') } as const),
  save: { method: 'PUT', path: `${base}/rules` } as const,
  fields: { sides: { label: both('Sides') } },
}
const { load: _, ...blind } = form

const panelOf = (content: ConsolePanel['content'], group: ConsolePanel['group'] = 'main'): ConsolePanel =>
  defineConsolePanel({ id: 'tool-dice', title: both('Dice'), group, content })
const pageOf = (...sections: readonly PanelSection[]): ConsolePanel => panelOf({ kind: 'sections', sections })

async function outcome(panel: ConsolePanel, routes: readonly HttpRoute[] | undefined = plainRoutes) {
  const runner = createCollectingRunner()
  describeConsolePanel({ name: 'dice', runner, create: () => panel, ...(routes && { routes }) })
  const results = await runner.run()
  const failed = results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('console panel dice › ', ''))
  return { failed, notes: runner.notes }
}
const changed = (route: HttpRoute, change: Partial<HttpRoute>): readonly HttpRoute[] =>
  plainRoutes.map((each) => (each === route ? { ...each, ...change } : each))

const calls = 'calls no route that the people who see it may not call, or that takes a query that it does not send'
const seen = 'shows what is stored before a form replaces it'
const alone = 'deletes its row alone by an action of a row'
const shows = 'shows what the answers of its routes have'
const files = 'has files that a frame can run: one module that makes the element, without imports'

const faults: readonly (readonly [string, readonly PanelSection[], readonly HttpRoute[], readonly string[]])[] = [
  ['data of administrators beside data of everyone', [table, form], changed(list, { auth: 'admin' }), [calls]],
  ['a route that never sees who is signed in', [table], changed(list, { auth: 'public', foreign: true }), [calls]],
  ['a source with a query that the console does not send', [form], changed(read, { query: Type.Object({ game: Type.String() }) }), [calls]],
  ['a list that takes no limit', [table], changed(list, { query: Type.Object({}) }), [calls]],
  ['a list without a query', [table], changed(list, { query: undefined as never }), [calls]],
  [
    'a list of fewer rows than the console asks for',
    [table],
    changed(list, { query: Type.Object({ ...pageQuerySchema.properties, limit: Type.Integer({ maximum: 20 }) }) }),
    [calls],
  ],
  [
    'a list with further pages that cannot be asked for',
    [table],
    changed(list, { query: Type.Object({ limit: pageQuerySchema.properties.limit }) }),
    [calls],
  ],
  ['a form that replaces what it does not show', [blind], plainRoutes, [seen]],
  ['rows that are told by yes or no', [{ ...table, key: 'won' }], plainRoutes, [shows]],
  ['rows that are told by a list', [{ ...table, key: 'eyes' }], plainRoutes, [shows]],
  [
    'a button of a row that deletes all rows',
    [{ ...table, actions: table.actions.map((action) => ({ ...action, path: `${base}/rolls` })) }],
    plainRoutes,
    [alone],
  ],
]

describe('describeConsolePanel, of the routes of its page', () => {
  it('passes panels that keep the contract', async () => {
    expect(await outcome(pageOf(table, form))).to.deep.equal({ failed: [], notes: [] })
    // For people whom a policy lets in.
    expect(await outcome(pageOf(table), changed(list, { auth: 'admin' }))).to.deep.equal({ failed: [], notes: [] })
    expect(await outcome(panelOf({ kind: 'sections', sections: [table, form] }, 'admin'), changed(list, { auth: 'admin' }))).to.deep.equal({
      failed: [],
      notes: [],
    })
    const short = {
      query: Type.Object({ limit: Type.Optional(Type.Integer({ maximum: 200 })) }),
      answers: { 200: { description: 'It.', schema: Type.Object({ items: Type.Array(row), next_cursor: Type.Null() }) } },
    }
    expect(await outcome(pageOf(table), changed(list, short))).to.deep.equal({ failed: [], notes: [] })
    const secret = { answers: answer(Type.Object({ is_set: Type.Boolean() }) as never) }
    expect(await outcome(pageOf(blind), changed(read, secret))).to.deep.equal({ failed: [], notes: [] })
  })
  for (const [what, sections, routes, titles] of faults)
    it(`catches ${what}`, async () => {
      expect((await outcome(pageOf(...sections), routes)).failed).to.deep.equal(titles)
    })

  describe('for a component', () => {
    let folder: string
    before(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'agent-service-panel-'))
    })
    after(() => rm(folder, { recursive: true, force: true }))
    const withCode = async (code: string, routes?: readonly HttpRoute[] | null) => {
      const module = path.join(folder, 'panel.js')
      await writeFile(module, `customElements.define('dice-board', class extends HTMLElement { async connectedCallback() { ${code} } })\n`)
      const panel = panelOf({ kind: 'component', element: 'dice-board', module })
      if (routes !== null) return outcome(panel, routes)
      const runner = createCollectingRunner()
      describeConsolePanel({ name: 'dice', runner, create: () => panel })
      return { failed: (await runner.run()).filter(({ error }) => error !== undefined).map(({ title }) => title), notes: runner.notes }
    }

    for (const [what, code] of [
      ['a module that is no JavaScript', 'const items = [1, 2'],
      ['a module that calls a route that is not there', `await consolePanel.call('GET', '${base}/throws')`],
      ['a module that calls a route by another method', `await consolePanel.call("POST", "${base}/rules", { body: {} })`],
      ['a module that calls a route of one thing that is not there', `await consolePanel.call('GET', \`${base}/rolls/\${this.id}\`)`],
    ] as const)
      it(`catches ${what}`, async () => {
        expect((await withCode(code)).failed).to.deep.equal([files])
      })
    it('passes calls of routes that are there, and those that are put together', async () => {
      const code = `
        await consolePanel.call('PUT', '${base}/rules', { body: { sides: 6 } })
        await consolePanel.call('DELETE', \`${base}/rolls/\${this.id}\`)
        await consolePanel.call('GET', \`${base}/\${this.kind}s/of-\${this.id}\`)
        await consolePanel.call('GET', this.path)`
      expect(await withCode(code)).to.deep.equal({ failed: [], notes: [] })
    })
    it('says that it does not know the routes', async () => {
      const { failed, notes } = await withCode(`await consolePanel.call('GET', '${base}/throws')`, null)
      expect([failed, notes]).to.deep.equal([
        [],
        ['console panel dice: not checked, because “routes” was not given: the component calls routes that its plugin has'],
      ])
    })
  })
})
