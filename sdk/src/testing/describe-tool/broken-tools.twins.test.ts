import { expect } from 'chai'
import type { ToolWords } from '../../contracts/tool/display.js'
import type { Tool } from '../../contracts/tool/tool.js'
import type { JsonObject } from '../../core/json.js'
import { Type } from '../../core/type.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeTool } from './index.js'

const plainTool: Tool = {
  specVersion: 1,
  name: 'say_hello',
  title: 'Say hello',
  description: 'Says hello to a person by name.',
  parameters: Type.Object({ name: Type.String() }),
  effect: 'checkable',
  supports: { probe: true },
  purpose: ({ name }) => `Say hello to ${String(name)}`,
  scopes: ({ name }) => [{ key: JSON.stringify([name]), label: `Say hello to ${String(name)}` }],
  exactly: ({ name }) => (name === 'nobody' ? false : 'Exactly this greeting'),
  execute: async ({ name }) =>
    name === 'nobody'
      ? { content: [{ type: 'text', text: 'Who?' }], isError: true }
      : { content: [{ type: 'text', text: `Hello, ${String(name)}` }] },
  probe: async () => 'unknown',
}

/** Runs the suite against a modified tool; returns the titles of the failed tests. */
async function failing(change: Partial<Tool>): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeTool({
    name: 'plain',
    runner,
    abortLimitMs: 50,
    create: () => ({ ...plainTool, ...change }),
    examples: [
      {
        title: 'one',
        input: { name: 'Ada' },
        check: ({ content }) => {
          if (content[0]?.type === 'text' && content[0].text === '') throw new Error('The greeting is empty.')
        },
      },
      { title: 'none', input: { name: 'nobody' }, isError: true },
    ],
  })
  const results = await runner.run({ testLimitMs: 2_000 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('tool plain › ', ''))
}

const of = (title: string): readonly string[] => [`${title}: one`, `${title}: none`]

const soundWords = 'has words for each call that fits its parameters'
const plainWords: ToolWords = {
  title: 'Say hello',
  ask: 'Say hello to {name}',
  running: 'Saying hello to {name}',
  done: ['Said hello to {name}'],
  failed: 'Could not say hello to {name}',
}

const oneLabel = 'has one label for each kind of calls'

const faults: readonly (readonly [string, Partial<Tool>, readonly string[]])[] = [
  ['a name that no model can call', { name: 'Say hello' }, ['has specVersion 1 and a name that models can call']],
  ['no title', { title: '' }, ['has a title for people and a description for models']],
  ['a description that does not help', { description: 'Hi' }, ['has a title for people and a description for models']],
  [
    'open parameters',
    { parameters: Type.Object({ name: Type.String() }, { additionalProperties: true }) },
    ['has parameters that can be read as plain JSON and are closed'],
  ],
  ...(
    [
      ['an argument that there is not', { ask: 'Greet {person}' }],
      ['no text for calls without an optional argument', { done: ['Said hello to {name} at {hour}', 'Said hello at {hour}'] }],
      ['a brace that is not closed', { running: 'Greeting {name' }],
      ['words that a screen reorders', { failed: 'Could not greet \u202e{name}' }],
      ['an empty list of texts', { ask: [] }],
    ] as const
  ).map(
    ([what, change]) =>
      [
        `words with ${what}`,
        {
          parameters: Type.Object({ name: Type.String(), hour: Type.Optional(Type.String()) }),
          display: { words: { en: plainWords, de: { ...plainWords, ...change } } },
        },
        [soundWords],
      ] as const,
  ),
  ['words in German alone', { display: { words: { de: plainWords } } } as unknown as Partial<Tool>, [soundWords]],
  ['a picture that no client has', { display: { icon: 'dragon' as never, words: { en: plainWords } } }, [soundWords]],
  ['an unknown member', { paralel: true } as Partial<Tool>, ['has the members that a host accepts and no others']],
  ['an unknown effect', { effect: 'harmless' as never }, ['states a known effect and a sensible time limit']],
  ['a word for whether it reads the workspace', { readsWorkspace: 'yes' as never }, ['says plainly whether it reads the workspace']],
  ['a time limit of nothing', { timeoutMs: 0 }, ['states a known effect and a sensible time limit']],
  [
    'a probe that it does not support',
    { supports: { probe: false }, effect: 'read' },
    ['has probe exactly when it supports it, and always when it is checkable'],
  ],
  [
    'a promise instead of a decision who may have it',
    { offered: (async () => true) as never },
    ['decides synchronously which agents may have it'],
  ],
  [
    'no decision who may have it',
    {
      offered: () => {
        throw new Error('no answer')
      },
    },
    ['decides synchronously which agents may have it'],
  ],
  [
    'a decision only for runs that report to something',
    { offered: ({ reportsTo }) => (reportsTo as { readonly kind: string }).kind === 'a' },
    ['decides synchronously which agents may have it'],
  ],
  [
    'examples that the parameters refuse',
    { parameters: Type.Object({ name: Type.Integer() }) },
    ['has examples that its parameters accept'],
  ],
  ['an unexpected error', { execute: async () => ({ content: [{ type: 'text', text: 'x' }], isError: true }) }, ['answers: one']],
  [
    'an error that does not say why',
    { execute: async ({ name }) => ({ content: [{ type: 'text', text: name === 'nobody' ? ' ' : 'x' }], isError: name === 'nobody' }) },
    ['answers: none'],
  ],
  ['an error that is not marked', { execute: async () => ({ content: [{ type: 'text', text: 'x' }] }) }, ['answers: none']],
  [
    'a result that is not plain data',
    { execute: async ({ name }) => ({ content: [{ type: 'json', json: { at: new Date(0) as never } }], isError: name === 'nobody' }) },
    of('answers with plain data'),
  ],
  [
    'an input that is changed',
    {
      execute: async (input, context) => {
        const result = await plainTool.execute(input, context)
        Object.assign(input, { name: 'changed' })
        return result
      },
    },
    of('does not change its input'),
  ],
  ...(
    [
      ['content of an unknown type', { type: 'html', html: '<b>' }],
      ['a text that is not a string', { type: 'text', text: 5 }],
      ['an invalid image', { type: 'image', media_type: 'text/plain', data: 'eA==' }],
      ['an image whose data are no base64', { type: 'image', media_type: 'image/png', data: '?' }],
      ['JSON that is a list', { type: 'json', json: [1] }],
      ['content with an unknown member', { type: 'text', text: 'x', note: 'y' }],
    ] as const
  ).map(
    ([what, content]) =>
      [
        what,
        { execute: async ({ name }: JsonObject) => ({ content: [content] as never, isError: name === 'nobody' }) },
        of('answers with content of known types'),
      ] as const,
  ),
  ...(
    [
      ['an absolute path of a file', [{ path: '/etc/passwd' }]],
      ['a path that leads out', [{ path: 'a/../../b.txt' }]],
      ['a path with an empty name', [{ path: 'a//b.txt' }]],
      ['a path with a backslash', [{ path: 'a\\b.txt' }]],
      ['a path of two lines', [{ path: 'a\nb.txt' }]],
      ['a path that is too long', [{ path: 'a'.repeat(2_001) }]],
      ['a file without a path', [{}]],
      ['a file named twice', [{ path: 'a.txt' }, { path: 'a.txt' }]],
      ['files that are no list', { path: 'a.txt' }],
      ['more files than are shown', Array.from({ length: 51 }, (_, index) => ({ path: `${index}.txt` }))],
      ['a file with an unknown member', [{ path: 'a.txt', size: 5 }]],
    ] as const
  ).map(
    ([what, files]) =>
      [
        what,
        {
          execute: async (...given: Parameters<Tool['execute']>) => ({ ...(await plainTool.execute(...given)), files }) as never,
        },
        of('names files as paths of the workspace, each once'),
      ] as const,
  ),
  [
    'a question as a promise',
    { asks: async () => ({ question: 'Why?' }) } as unknown as Partial<Tool>,
    of('asks its question synchronously'),
  ],
  ['an empty question', { asks: () => ({ question: ' ' }) }, of('asks its question synchronously')],
  ...(
    [
      ['a promise of kinds', async () => []],
      ['kinds that are no list', () => ({ key: 'a', label: 'A' })],
      ['more kinds than are offered', () => Array.from({ length: 11 }, (_, index) => ({ key: `${index}`, label: 'A' }))],
      ['a kind without a key', () => [{ key: '', label: 'A' }]],
      ['a key that is too long', () => [{ key: 'k'.repeat(501), label: 'A' }]],
      ['a kind without words', () => [{ key: 'a', label: ' ' }]],
      ['words for a kind that are too long', () => [{ key: 'a', label: 'l'.repeat(201) }]],
      ['words for a kind in two lines', () => [{ key: 'a', label: 'One\ntwo' }]],
      ['words for a kind that a screen reorders', () => [{ key: 'a', label: 'Read \u202etxt' }]],
      ['a kind with an unknown member', () => [{ key: 'a', label: 'A', wide: true }]],
      [
        'two kinds with one key',
        () => [
          { key: 'a', label: 'A' },
          { key: 'a', label: 'B' },
        ],
        oneLabel,
      ],
    ] as const
  ).map(([what, scopes, ...others]) => [what, { scopes } as never, [...of('names well-formed kinds of calls'), ...others]] as const),
  ...(
    [
      ['a promise of what exactly this call is', async () => 'Exactly this call'],
      ['no words for exactly this call', () => ''],
      ['true for exactly this call', () => true],
      ['two lines for exactly this call', () => 'One\ntwo'],
    ] as const
  ).map(([what, exactly]) => [what, { exactly } as never, of('says what exactly this call is')] as const),
  [
    'a kind whose key does not say what its label names',
    { scopes: ({ name }) => [{ key: 'hello', label: `Say hello to ${String(name)}` }] },
    [oneLabel],
  ],
  [
    'kinds that differ from time to time',
    { scopes: () => [{ key: String(Math.random()), label: 'A' }] },
    of('names the same kinds of the same call each time'),
  ],
  [
    'an input that is changed for kinds',
    {
      scopes: (input) => {
        Object.assign(input, { name: 'changed' })
        return []
      },
    },
    [...of('names the same kinds of the same call each time'), ...of('does not change its input for its words')],
  ],
  ['a purpose of several lines', { purpose: () => 'One\ntwo' }, of('has a purpose of one line')],
  [
    'a call that continues after its abort',
    {
      execute: (input, context) =>
        new Promise((resolve) => {
          const timer = setTimeout(() => resolve(plainTool.execute(input, context)), 5)
          context.signal.addEventListener('abort', () => clearTimeout(timer))
        }),
    },
    of('ends when it is aborted'),
  ],
  ['a probe that claims an unknown call', { probe: async () => 'done' }, ['can probe an unknown call, if it supports probe']],
]

/** A tool that writes greetings into the workspace, and names what it likes. */
async function outcomeOfFiles(named: string, there: readonly string[] | undefined) {
  const runner = createCollectingRunner()
  describeTool({
    ...{ name: 'plain', runner, abortLimitMs: 50, secrets: [], stranger: 'not applicable' },
    create: () => ({
      tool: {
        ...plainTool,
        execute: async (...given) => ({ ...(await plainTool.execute(...given)), files: [{ path: named }] }),
      },
      ...{ state: 'not applicable', restarted: 'not applicable' },
      ...(there && { files: () => there }),
    }),
    examples: [{ title: 'one', input: { name: 'Ada' } }],
  })
  const results = await runner.run({ testLimitMs: 2_000 })
  const failed = results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('tool plain › ', ''))
  return { failed, notes: runner.notes }
}

describe('describeTool', () => {
  it('passes a tool that keeps the contract', async () => {
    expect(await failing({})).to.deep.equal([])
  })
  it('catches a file that is not there, and says where it cannot look', async () => {
    expect(await outcomeOfFiles('hello.txt', ['hello.txt'])).to.deep.equal({ failed: [], notes: [] })
    const missing = await outcomeOfFiles('hello.txt', ['other.txt'])
    expect(missing.failed).to.deep.equal(['names files that are there when it answers: one'])
    const blind = await outcomeOfFiles('hello.txt', undefined)
    expect(blind.failed).to.deep.equal([])
    expect(blind.notes.join()).to.include('because “files” was not given: a file that a result names is in the workspace')
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect([...(await failing(change))].sort()).to.deep.equal([...titles].sort())
    })
  }
})
