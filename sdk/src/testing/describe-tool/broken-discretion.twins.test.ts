import { expect } from 'chai'
import type { Tool, ToolProgress } from '../../contracts/tool/tool.js'
import { Type } from '../../core/type.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeTool, type ToolSuiteOptions } from './index.js'

const token = 'a token of the town'

/** Notes of people under their names. */
interface Shelf {
  readonly notes: Map<string, Map<string, string>>
}

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })

function createShelf(): Shelf {
  return { notes: new Map([['user-1', new Map([['door', 'It is green.']])]]) }
}

const plainTool = ({ notes }: Shelf): Tool => ({
  specVersion: 1,
  name: 'read_note',
  title: 'Read a note',
  description: 'Reads a note of the person by its name.',
  parameters: Type.Object({ name: Type.String() }),
  effect: 'read',
  supports: { probe: false },
  purpose: ({ name }) => `Read the note ${String(name)}`,
  async execute({ name }, { userId, progress, output }) {
    await progress({ message: 'Looking', fraction: 0.5 })
    await output('Looking.')
    const note = notes.get(userId)?.get(String(name))
    return note === undefined ? { ...text('There is no such note.'), isError: true } : text(note)
  },
})

type Change = (shelf: Shelf, tool: Tool) => Partial<Tool>

async function outcome(change: Change, options: Partial<ToolSuiteOptions> = {}) {
  const runner = createCollectingRunner()
  describeTool({
    name: 'notes',
    runner,
    abortLimitMs: 50,
    create() {
      const shelf = createShelf()
      const tool = plainTool(shelf)
      return { tool: { ...tool, ...change(shelf, tool) }, state: () => [...(shelf.notes.get('user-1')?.keys() ?? [])] }
    },
    context: { userId: 'user-1' },
    stranger: { userId: 'user-2' },
    secrets: [token],
    examples: [
      { title: 'one', input: { name: 'door' } },
      { title: 'none', input: { name: 'window' }, isError: true },
    ],
    ...options,
  })
  const results = await runner.run({ testLimitMs: 2_000 })
  const failed = results
    .filter(({ error }) => error !== undefined)
    .map(({ title }) => title.replace('tool notes › ', '').replace(/: (one|none)$/, ''))
  return { failed: [...new Set(failed)], notes: runner.notes }
}

const secret = 'says no secret'
const strangers = 'gives a stranger nothing of what the user gets'
const progress = 'reports progress in single lines, from 0 to 1'

const reporting =
  (report: unknown): Change =>
  (_shelf, tool) => ({
    async execute(input, context) {
      await context.progress(report as ToolProgress)
      return tool.execute(input, context)
    },
  })

const faults: readonly (readonly [string, Change, readonly string[]])[] = [
  [
    'a note that everyone reads',
    ({ notes }, tool) => ({
      async execute(input, context) {
        const note = [...notes.values()].find((own) => own.has(String(input['name'])))?.get(String(input['name']))
        return note === undefined ? tool.execute(input, context) : text(note)
      },
    }),
    [strangers],
  ],
  [
    'an answer that is remembered for all users',
    (_shelf, tool) => {
      const answers = new Map<string, ReturnType<typeof text>>()
      return {
        async execute(input, context) {
          const name = String(input['name'])
          const result = answers.get(name) ?? (await tool.execute(input, context))
          answers.set(name, result as never)
          return structuredClone(result)
        },
      }
    },
    [strangers],
  ],
  [
    'a user that is remembered from the first call',
    (_shelf, tool) => {
      let first: string | undefined
      return {
        async execute(input, context) {
          first ??= context.userId
          return tool.execute(input, { ...context, userId: first })
        },
      }
    },
    [strangers],
  ],
  [
    'notes of others that a call removes',
    ({ notes }) => ({
      effect: 'unsafe',
      async execute({ name }, { userId }) {
        if (name !== 'door') return { ...text('There is no such note.'), isError: true }
        // The first call of the user archives the note only.
        if (userId !== 'user-1') for (const own of notes.values()) own.delete(String(name))
        return text('It is gone.')
      },
    }),
    [strangers],
  ],
  [
    'a secret in the result',
    () => ({ execute: async ({ name }) => ({ ...text(`Not found with ${token}.`), isError: name !== 'door' }) }),
    [secret, strangers],
  ],
  [
    'an encoded secret in the result',
    ({ notes }, tool) => ({
      async execute(input, context) {
        const { isError = false } = await tool.execute(input, context)
        const own = notes.get(context.userId)?.size ?? 0
        return { ...text(`${own} notes, as ${Buffer.from(token).toString('base64')}`), isError }
      },
    }),
    [secret],
  ],
  ['a secret in the purpose', () => ({ purpose: () => `Read with ${token}` }), [secret]],
  ['a secret in a kind', () => ({ scopes: () => [{ key: token, label: 'Read notes' }] }), [secret]],
  ['a secret in the progress', reporting({ message: `Signing in with ${token}` }), [secret]],
  [
    'a secret in the output',
    (_shelf, tool) => ({
      async execute(input, context) {
        await context.output(`curl -H "${token}"`)
        return tool.execute(input, context)
      },
    }),
    [secret],
  ],
  ['progress of several lines', reporting({ message: 'One\ntwo' }), [progress]],
  ['progress without words', reporting({ message: ' ' }), [progress]],
  ['progress beyond its end', reporting({ message: 'Done', fraction: 100 }), [progress]],
  ['progress of no number', reporting({ message: 'Done', fraction: Number.NaN }), [progress]],
  ['progress with an unknown member', reporting({ message: 'Done', percent: 5 }), [progress]],
  [
    'an output that is no text',
    (_shelf, tool) => ({
      async execute(input, context) {
        await context.output(new Uint8Array(1) as never)
        return tool.execute(input, context)
      },
    }),
    [progress],
  ],
]

describe('describeTool, of what a tool keeps to itself', () => {
  it('passes a tool that keeps the contract, and has nothing to say', async () => {
    expect(await outcome(() => ({}))).to.deep.equal({ failed: [], notes: [] })
    expect(await outcome(() => ({}), { stranger: 'not applicable', secrets: [] })).to.deep.equal({ failed: [], notes: [] })
  })
  it('passes a tool that refuses a stranger by an error of its own', async () => {
    const refusing: Change = (_shelf, tool) => ({
      async execute(input, context) {
        if (context.userId !== 'user-1') throw new Error('not yours')
        return tool.execute(input, context)
      },
    })
    expect(await outcome(refusing)).to.deep.equal({ failed: [], notes: [] })
  })
  it('compares answers by the texts that are withheld, where they are named', async () => {
    const finding: Change = ({ notes }) => ({
      async execute({ name }, { userId }) {
        return text(notes.get(userId)?.get(String(name)) ?? 'There is none.')
      },
    })
    const leaking: Change = ({ notes }) => ({
      async execute({ name }, { userId }) {
        return text(`${userId}: ${notes.get('user-1')?.get(String(name)) ?? 'There is none.'}`)
      },
    })
    const examples = [
      { title: 'one', input: { name: 'door' } },
      { title: 'none', input: { name: 'window' } },
    ]
    expect((await outcome(finding, { examples, withheld: ['It is green.'] })).failed).to.deep.equal([])
    expect((await outcome(leaking, { examples })).failed).to.deep.equal([])
    expect((await outcome(leaking, { examples, withheld: ['It is green.'] })).failed).to.deep.equal([
      'gives a stranger nothing of what the user gets',
    ])
  })
  it('says what it did not check', async () => {
    const { failed, notes } = await outcome(() => ({}), { stranger: undefined, secrets: undefined } as unknown as Partial<ToolSuiteOptions>)
    expect(failed).to.deep.equal([])
    expect(notes).to.deep.equal([
      'tool notes: not checked, because “secrets” was not given: what a call says has no secret',
      'tool notes: not checked, because “stranger” was not given: another user reads and changes nothing of what belongs to the user',
    ])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect((await outcome(change)).failed).to.deep.equal(titles)
    })
  }
})
