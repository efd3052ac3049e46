import { expect } from 'chai'
import { type CliCommand, defineCommand } from '../../contracts/cli-command/index.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeCliCommand } from './index.js'

type Context = Parameters<CliCommand['run']>[0]

const plain = defineCommand({
  name: 'garden list',
  summary: 'List what grows',
  arguments: [{ name: 'bed', description: 'which bed', required: false }],
  options: [{ name: 'ripe', description: 'only what is ripe' }],
  async run({ request, print, ask }) {
    const bed = await ask('Which bed?')
    await print(`Bed ${bed}`)
    return { status: 0, json: await request('GET', '/api/beds') }
  },
})

async function failing(change: Partial<Record<keyof CliCommand | 'alias', unknown>>): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeCliCommand({
    name: 'list',
    runner,
    abortLimitMs: 30,
    create: () => ({ ...plain, ...change }) as CliCommand,
    examples: [
      {
        title: 'one',
        typed: ['3'],
        answer: () => ['thyme'],
        events: [{ name: 'bed.watered', data: {} }],
        check: ({ json }) => {
          if (!Array.isArray(json)) throw new Error('There is no list.')
        },
      },
    ],
  })
  const results = await runner.run({ testLimitMs: 200 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('command list › ', ''))
}

const names = 'has specVersion 1, a name of one or two words, a summary, and nothing unknown'
const options = 'has required arguments first, and options that are its own'
const abort = 'ends when it is aborted: one'
const streams = 'leaves no stream open: one'
const result = 'ends with its status and a plain value: one'
const required = { name: 'x', description: 'x', required: true }

const faults: readonly (readonly [string, Parameters<typeof failing>[0], readonly string[]])[] = [
  ['a name in capitals', { name: 'Garden' }, [names]],
  ['a summary with a full stop', { summary: 'List.' }, [names]],
  ['an unknown member', { alias: 'g' }, [names]],
  ['a required argument behind an optional one', { arguments: [{ ...required, required: false }, required] }, [options]],
  ['a reserved option', { options: [{ name: 'no-json', description: 'x' }] }, [options]],
  ['a name that ends in a dash', { name: 'garden-' }, [names]],
  ['an argument with a space in its name', { arguments: [{ ...required, name: 'one bed' }] }, [options]],
  ['an argument with capitals in its name', { arguments: [{ ...required, name: 'Bed' }] }, [options]],
  ['a value of an option with brackets in its name', { options: [{ name: 'ripe', description: 'x', value: '<how>' }] }, [options]],
  [
    'a command that remembers its last run',
    (() => {
      let times = 0
      return {
        run: async ({ print }: Context) => {
          times += 1
          if (times % 2 === 0) await print('Nothing new.')
          return { status: 0, json: [] }
        },
      }
    })(),
    ['runs again as if it had never run: one'],
  ],
  [
    'a command that waits for an abort that has been',
    {
      run: ({ signal }: Context) => (signal.aborted ? new Promise(() => undefined) : Promise.resolve({ status: 0, json: [] })),
    },
    [abort],
  ],
  ['another status', { run: async () => ({ status: 1, json: [] }) }, [result]],
  ['a value that is not JSON', { run: async () => ({ status: 0, json: [new Date(0)] }) }, [result]],
  ['a result with further members', { run: async () => ({ status: 0, json: [], text: 'x' }) }, [result]],
  [
    'two lines in one',
    {
      run: async ({ print }: Context) => {
        await print('one\ntwo')
        return { status: 0, json: [] }
      },
    },
    [result],
  ],
  [
    'a command that continues after its abort',
    {
      run: ({ signal }: Context) =>
        new Promise((resolve) => {
          const timer = setTimeout(() => resolve({ status: 0, json: [] }), 5)
          signal.addEventListener('abort', () => clearTimeout(timer))
        }),
    },
    [abort],
  ],
  [
    'two lines in one warning',
    {
      run: async ({ warn }: Context) => {
        await warn('one\ntwo')
        return { status: 0, json: [] }
      },
    },
    [result],
  ],
  [
    'a command that reads on after the end of its input',
    {
      run: async ({ readLine }: Context) => {
        while ((await readLine()) !== '/exit');
        return { status: 0, json: [] }
      },
    },
    [result],
  ],
  [
    'a command that reads on after its abort',
    {
      run: async ({ readLine, signal }: Context) => {
        const end = performance.now() + 500
        let line: string | undefined = ''
        while (line !== undefined && performance.now() < end) line = await readLine().catch(() => (signal.aborted ? '' : undefined))
        return { status: 0, json: [] }
      },
    },
    [abort],
  ],
  [
    'a command that leaves the events open',
    {
      run: async ({ events }: Context) => {
        await (await events())[Symbol.asyncIterator]().next()
        return { status: 0, json: [] }
      },
    },
    [streams],
  ],
  [
    'a command that keeps the interrupts',
    {
      run: async ({ interrupts }: Context) => {
        interrupts()
          [Symbol.asyncIterator]()
          .next()
          .catch(() => undefined)
        return { status: 0, json: [] }
      },
    },
    [streams],
  ],
]

const watching = defineCommand({
  ...plain,
  async run({ readLine, events, interrupts, write, signal }) {
    const done = new AbortController()
    const pressed = (async () => {
      for await (const _ of interrupts({ signal: done.signal })) done.abort()
    })().catch(() => undefined)
    const beds: string[] = []
    for await (const { name } of await events({ signal })) {
      await write(name)
      beds.push(name)
      break
    }
    for (let line = await readLine(); line !== undefined; line = await readLine({ signal: done.signal })) await write(line)
    done.abort()
    await pressed
    return { status: 0, json: beds }
  },
})

describe('describeCliCommand', () => {
  it('passes a command that reads lines, events and interrupts', async () => {
    expect(await failing({ run: watching.run })).to.deep.equal([])
  })
  it('passes a command that keeps the contract', async () => {
    expect(await failing({})).to.deep.equal([])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect(await failing(change)).to.include.members([...titles])
    })
  }
})
