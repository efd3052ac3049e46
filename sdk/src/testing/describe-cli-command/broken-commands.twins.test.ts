import { expect } from 'chai'
import { type CliCommand, defineCommand } from '../../contracts/cli-command/index.js'
import { ServiceError } from '../../core/errors.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { type CommandExample, type CommandSuiteOptions, describeCliCommand } from './index.js'

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

interface Changes {
  readonly example?: Partial<CommandExample>
  readonly options?: Partial<CommandSuiteOptions>
}

async function failing(
  change: Partial<Record<keyof CliCommand | 'alias', unknown>>,
  { example = {}, options: others = {} }: Changes = {},
): Promise<readonly string[]> {
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
        ...example,
      },
    ],
    ...others,
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

const alone = 'prints through its context alone, and leaves the process as it was: one'
const json = 'has for a program what it has for people, with --json: one'
const waits = 'waits for each answer of the service: one'
const honest = 'does not report success while the service fails: one'
const calls = 'has examples, each of them a call that the program would make'
const done = { status: 0, json: [] } as const
const ignored = (): void => undefined

const effects: readonly (readonly [string, Parameters<typeof failing>[0], readonly string[]])[] = [
  [
    'a command that prints past its context',
    {
      run: async () => {
        process.stdout.write('')
        return done
      },
    },
    [alone],
  ],
  [
    'a command that sets the exit code of the process',
    {
      run: async () => {
        process.exitCode = 3
        return done
      },
    },
    [alone],
  ],
  [
    'a command that takes Ctrl-C from the program',
    {
      run: async () => {
        process.on('SIGHUP', ignored)
        return done
      },
    },
    [alone],
  ],
  [
    'a command that gives a program nothing',
    {
      run: async ({ print, json: isJson }: Context) => {
        await print('Thyme')
        return isJson ? { status: 0 } : done
      },
    },
    [json],
  ],
  [
    'a command that breaks with --json',
    {
      run: async ({ json: isJson }: Context) => {
        if (isJson) throw new TypeError('undefined is not a function')
        return done
      },
    },
    [json],
  ],
  [
    'a command that ends before its request is answered',
    {
      run: async ({ request }: Context) => {
        request('POST', '/api/beds', { name: 'thyme' }).catch(() => undefined)
        return done
      },
    },
    [waits],
  ],
  [
    'a command that swallows what the service refuses',
    {
      run: async ({ request, print }: Context) => {
        await request('POST', '/api/beds').catch(() => undefined)
        await print('Planted.')
        return done
      },
    },
    [honest],
  ],
  [
    'a command that warns of what failed, and ends well',
    {
      run: async ({ request, warn }: Context) => {
        await request('GET', '/api/beds').catch(() => warn('There are no beds.'))
        return done
      },
    },
    [honest],
  ],
  [
    'a command whose second change may fail',
    {
      run: async ({ request }: Context) => {
        await request('POST', '/api/beds')
        await request('POST', '/api/seeds').catch(() => undefined)
        return done
      },
    },
    [honest],
  ],
  [
    'a command that goes on behind its end',
    {
      run: async ({ request, signal }: Context) => {
        const work = (async () => {
          for (let bed = 0; bed < 100; bed += 1) await request('POST', '/api/beds').catch(() => undefined)
        })()
        await Promise.race([work, new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))])
        return done
      },
    },
    [abort],
  ],
  [
    'a command that prints escape sequences',
    {
      run: async ({ print }: Context) => {
        await print('\u001b[32mThyme\u001b[0m')
        return done
      },
    },
    [result],
  ],
  ['a command without its argument', { arguments: [] }, [calls]],
  ['a command without a required argument in its example', { arguments: [required, { ...required, name: 'y' }] }, [calls]],
  ['a command without its option', { options: [] }, [calls]],
  ['a switch that is given a value', { options: [{ name: 'ripe', description: 'x', value: 'how' }] }, [calls]],
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
  afterEach(() => {
    process.exitCode = undefined
    while (process.listenerCount('SIGHUP') > 0) process.off('SIGHUP', ignored)
  })

  for (const [what, change, titles] of effects) {
    it(`catches ${what}`, async () => {
      const example = { arguments: ['herbs'], options: { ripe: true }, typed: [] }
      const found = await failing(change, { example })
      expect(found).to.include.members([...titles])
    })
  }
  it('passes a conversation that tells of a failure and goes on, and a command that needs no service', async () => {
    const run = async ({ readLine, request, warn }: Context) => {
      while ((await readLine()) !== undefined) await request('POST', '/api/beds').catch(() => warn('It was not planted.'))
      return done
    }
    expect(await failing({ run })).to.deep.equal([])
    expect(await failing({ run }, { example: { typed: [] } })).to.deep.equal([])
    const offline = async ({ request }: Context) => {
      await request('POST', '/api/beds').catch(() => undefined)
      return done
    }
    expect(await failing({ run: offline }, { options: { withoutService: 'works' } })).to.deep.equal([])
  })
  it('passes a command that refuses --json, and one that has no value and says so', async () => {
    const refusing = async ({ json: isJson, print }: Context) => {
      if (isJson) throw new ServiceError({ code: 'no_json', status: 400, title: 'No JSON', message: 'Call it without --json.' })
      await print('Thyme')
      return done
    }
    expect(await failing({ run: refusing })).to.deep.equal([])
    const silent = async ({ print }: Context) => {
      await print('Thyme')
      return { status: 0 }
    }
    const example = { check: () => undefined }
    expect(await failing({ run: silent }, { example, options: { json: 'not applicable' } })).to.deep.equal([])
    expect(await failing({ run: silent }, { example })).to.deep.equal([json])
  })
  it('passes a command that shows a control character of the service', async () => {
    const run = async ({ request, print }: Context) => {
      const beds = await request('GET', '/api/beds')
      await print(String((beds as readonly unknown[])[0]))
      return { status: 0, json: beds }
    }
    expect(await failing({ run }, { example: { answer: () => ['\u001b[2J'] } })).to.deep.equal([])
  })
  it('gives the check what the service was asked, and says what was not checked without one', async () => {
    const asked: unknown[] = []
    const run = async ({ request }: Context) => ({ status: 0, json: await request('PUT', '/api/beds', { name: 'thyme' }) })
    await failing({ run }, { example: { check: ({ requests }) => asked.push(requests) } })
    expect(asked).to.deep.equal([[{ method: 'PUT', path: '/api/beds', body: { name: 'thyme' } }]])
    const runner = createCollectingRunner()
    describeCliCommand({ name: 'list', runner, create: () => plain, examples: [{ title: 'one', typed: ['3'] }] })
    await runner.run()
    expect(runner.notes.map((note) => /“(.*?)”/.exec(note)?.[1])).to.deep.equal(['check of an example'])
  })

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
