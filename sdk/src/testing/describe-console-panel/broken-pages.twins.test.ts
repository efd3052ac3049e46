import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { defineConsolePanel, type PanelSection } from '../../contracts/console-panel/index.js'
import { Type } from '../../core/type.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeConsolePanel, type PanelSuiteRoute } from './index.js'

const base = '/api/plugins/tool-dice'
const both = (text: string) => ({ en: text, de: `${text} (de)` })
const row = Type.Object({ id: Type.String(), eyes: Type.Integer(), at: Type.String(), sides: Type.Array(Type.Integer()) })
const totals = Type.Object({ throws: Type.Integer(), last: Type.Union([Type.Object({ eyes: Type.Integer() }), Type.Null()]) })
const rules = Type.Object({ sides: Type.Integer({ minimum: 2, maximum: 20 }), dice: Type.Optional(Type.Integer()) })
const json = (schema: object) => ({ kind: 'json', schema }) as never
const answer = (schema?: object) => ({ 200: { description: 'It.', ...(schema && { schema }) } }) as never

const routes: readonly PanelSuiteRoute[] = [
  { method: 'GET', path: `${base}/rolls`, answers: answer(Type.Object({ items: Type.Array(row), next_cursor: Type.Null() })) },
  { method: 'GET', path: `${base}/totals`, answers: answer(totals) },
  { method: 'GET', path: `${base}/rules`, answers: answer(rules) },
  { method: 'GET', path: `${base}/words`, answers: answer() },
  { method: 'PUT', path: `${base}/rules`, answers: answer(rules), body: json(rules) },
  { method: 'POST', path: `${base}/rolls`, answers: answer(), body: json(Type.Object({ count: Type.Integer({ minimum: 1 }) })) },
  { method: 'POST', path: `${base}/pauses`, answers: answer() },
  { method: 'DELETE', path: `${base}/rolls/{roll_id}`, answers: answer() },
  { method: 'POST', path: '/api/plugins/tool-mail/letters', answers: answer() },
]

const confirm = { title: both('Delete it?'), text: both('It is gone then.') }
const table = {
  ...({ kind: 'table', title: both('Rolls'), source: `${base}/rolls`, key: 'id', empty: both('None') } as const),
  columns: [
    { member: 'eyes', label: both('Eyes'), format: 'number' as const },
    { member: 'at', label: both('When'), format: 'moment' as const },
  ],
  actions: [{ label: both('Delete'), method: 'DELETE' as const, path: `${base}/rolls/{id}`, confirm, done: both('Gone') }],
}
const values = {
  ...({ kind: 'values', title: both('Totals'), source: `${base}/totals` } as const),
  values: [
    { member: 'throws', label: both('Throws'), format: 'number' as const },
    { member: 'last.eyes', label: both('Last') },
  ],
}
const form = {
  ...({ kind: 'form', title: both('Rules'), schema: rules, load: `${base}/rules`, action: both('Save'), done: both('Saved') } as const),
  save: { method: 'PUT', path: `${base}/rules` } as const,
  fields: { sides: { label: both('Sides') }, dice: { label: both('Dice') } },
}
const roll = { label: both('Roll'), method: 'POST' as const, path: `${base}/rolls`, body: { count: 2 }, done: both('Rolled') }
const pause = { label: both('Pause'), method: 'POST' as const, path: `${base}/pauses`, done: both('Paused') }
const actions = { kind: 'actions', actions: [roll, pause] } as const

async function outcome(...sections: readonly PanelSection[]) {
  const runner = createCollectingRunner()
  const panel = defineConsolePanel({ id: 'tool-dice', title: both('Dice'), group: 'main', content: { kind: 'sections', sections } })
  describeConsolePanel({ name: 'dice', runner, routes, create: () => panel })
  const results = await runner.run()
  const failed = results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('console panel dice › ', ''))
  return { failed, notes: runner.notes }
}

const readable = 'has texts that a person can read, without markup'
const named = 'has a name for each field of a form'
const single = 'has no name for two things of one place'
const own = 'calls no route of another plugin'
const shows = 'shows what the answers of its routes have'
const sends = 'sends what its routes take, and fills every field that it saves'
const asks = 'asks before it deletes something'
const text = (words: string): PanelSection => ({ kind: 'text', text: both(words) })
const [firstColumn, secondColumn] = table.columns

const faults: readonly (readonly [string, readonly PanelSection[], readonly string[]])[] = [
  ['markup in a text', [text('Press <b>here</b>.')], [readable]],
  ['a script in a label', [{ ...actions, actions: [{ ...pause, label: both('<script>alert(1)</script>') }] }], [readable]],
  ['an image in a heading', [{ ...table, title: both('<img src=x onerror=alert(1)>') }], [readable]],
  ['entities of HTML', [text('Salt &amp; pepper')], [readable]],
  ['words that a screen reorders', [text('Delete \u202enothing')], [readable]],
  ['a field without a label', [{ ...form, fields: { sides: form.fields.sides } }], [named]],
  [
    'an explanation in one language',
    [{ ...form, schema: Type.Object({ ...rules.properties, sides: Type.Integer({ minimum: 2, maximum: 20, description: 'Of a die.' }) }) }],
    [named],
  ],
  ['two columns of one member', [{ ...table, columns: [firstColumn, { ...firstColumn, label: both('More') }] as never }], [single]],
  ['two columns of one name', [{ ...table, columns: [firstColumn, { ...secondColumn, label: both('Eyes') }] as never }], [single]],
  ['two buttons of one name', [{ ...actions, actions: [pause, { ...roll, label: both('Pause') }] }], [single]],
  ['two tables of one name', [table, table], [single]],
  ['a route of another plugin', [{ ...actions, actions: [{ ...pause, path: '/api/plugins/tool-mail/letters' }] }], [own]],
  ['a member that the answer does not have', [{ ...values, values: [{ member: 'count', label: both('Count') }] }], [shows]],
  ['a member of a member that the answer does not have', [{ ...values, values: [{ member: 'last.sum', label: both('Sum') }] }], [shows]],
  ['a number that is a text', [{ ...table, columns: [{ member: 'at', label: both('When'), format: 'number' }] }], [shows]],
  ['a list as a text', [{ ...table, columns: [{ member: 'sides', label: both('Sides') }] }], [shows]],
  ['a table of what is no list', [{ ...table, source: `${base}/totals`, actions: [] }], [shows]],
  ['a key that rows do not have', [{ ...table, key: 'roll_id' }], [shows]],
  [
    'an action of a member that rows do not have',
    [{ ...table, actions: table.actions.map((action) => ({ ...action, path: `${base}/rolls/{roll_id}` })) }],
    [shows],
  ],
  ['a form for a route without a body', [{ ...form, save: { method: 'POST', path: `${base}/pauses` } }], [sends]],
  [
    'a field that the route refuses',
    [
      {
        ...form,
        schema: Type.Object({ ...rules.properties, colour: Type.String() }),
        fields: { ...form.fields, colour: { label: both('Colour') } },
      },
    ],
    [sends],
  ],
  [
    'a form without what the route needs',
    [{ ...form, schema: Type.Object({ dice: rules.properties.dice }), fields: { dice: form.fields.dice } }],
    [sends],
  ],
  [
    'a field with other limits than the route',
    [{ ...form, schema: Type.Object({ ...rules.properties, sides: Type.Integer({ minimum: 0 }) }) }],
    [sends],
  ],
  ['a form that empties what it does not load', [{ ...form, load: `${base}/totals` }], [sends]],
  ['an action whose body the route refuses', [{ ...actions, actions: [{ ...roll, body: { count: 0 } }] }], [sends]],
  ['an action without the body that the route needs', [{ ...actions, actions: [{ ...pause, path: `${base}/rolls` }] }], [sends]],
  ['a deletion without a question', [{ ...table, actions: table.actions.map(({ confirm: _, ...action }) => action) }], [asks]],
]

describe('describeConsolePanel, of its page', () => {
  it('passes a panel that keeps the contract, and has nothing to say', async () => {
    expect(await outcome(text('Six of them.\nOr more, if x < 7 and y > 3.'), table, values, form, actions)).to.deep.equal({
      failed: [],
      notes: [],
    })
  })
  it('says of which answers it does not know what they have', async () => {
    const { failed, notes } = await outcome({ ...values, source: `${base}/words` })
    expect([failed, notes]).to.deep.equal([
      [],
      [
        `console panel dice: not checked, because “the schema of the answer of GET ${base}/words” was not given: the answer has what the panel shows of it`,
      ],
    ])
  })
  for (const [what, sections, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect((await outcome(...sections)).failed).to.deep.equal(titles)
    })
  }

  describe('for a component', () => {
    const element = "customElements.define('dice-board', class extends HTMLElement {})\n"
    for (const [what, module, styles] of [
      ['a module that names its element in a comment', "customElements.define('other', X) // 'dice-board' <dice-board>\n", ''],
      ['a module that imports while it runs', `${element}const { html } = await import('./lit.js')\n`, ''],
      ['a module that uses the network', `${element}fetch('https://example.org/')\n`, ''],
      ['a module that uses storage', `${element}localStorage.setItem('a', 'b')\n`, ''],
      ['a module that makes code of texts', `${element}new Function('return 1')()\n`, ''],
      ['styles that load a font', element, '@font-face { src: url(https://example.org/a.woff2) }'],
      ['styles that import others', element, '@import "more.css";'],
    ] as const) {
      it(`catches ${what}`, async () => {
        const folder = await mkdtemp(path.join(os.tmpdir(), 'agent-service-panel-'))
        try {
          const content = {
            kind: 'component',
            element: 'dice-board',
            module: path.join(folder, 'a.js'),
            styles: path.join(folder, 'a.css'),
          } as const
          await writeFile(content.module, module)
          await writeFile(content.styles, styles)
          const runner = createCollectingRunner()
          describeConsolePanel({
            name: 'dice',
            runner,
            create: () => defineConsolePanel({ id: 'tool-dice', title: both('Dice'), group: 'main', content }),
          })
          const failed = (await runner.run()).filter(({ error }) => error !== undefined)
          expect(failed.map(({ title }) => title)).to.deep.equal([
            'console panel dice › has files that a frame can run: one module that makes the element, without imports',
          ])
        } finally {
          await rm(folder, { recursive: true, force: true })
        }
      })
    }
  })
})
