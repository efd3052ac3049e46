import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { expect } from 'chai'
import { type DoctorCheck, defineDoctorCheck } from '../../contracts/doctor-check/index.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { type DoctorCheckSuiteOptions, describeDoctorCheck } from './index.js'

const password = 'hunter2-of-the-mail-server'

const create = (): DoctorCheck =>
  defineDoctorCheck({
    ...{ id: 'tool-dice', title: 'Dice' },
    run: async () => ({ findings: [{ state: 'well', text: 'Six of them are here.' }], json: { dice: 6 } }),
  })

const missing = { findings: [{ state: 'warning', text: 'They are gone.' }] }
let drawer: string[] = []

async function failing(change: () => object, options: Partial<DoctorCheckSuiteOptions> = {}): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  drawer = []
  describeDoctorCheck({
    name: 'dice',
    runner,
    abortLimitMs: 30,
    secrets: [password],
    state: () => [...drawer],
    create: () => ({ ...create(), ...change() }),
    broken: () => ({ ...create(), run: async () => missing }) as DoctorCheck,
    ...options,
  })
  const results = await runner.run({ testLimitMs: 200 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('doctor check dice › ', ''))
}

const reports = 'reports findings, and the same ones again'
const ends = 'ends when it is aborted, and runs again'
const finding = { state: 'well', text: 'Six.' }

const same = 'reports the same to several who ask at once'
const faults: readonly (readonly [string, () => object, readonly string[]])[] = [
  [
    'a report with a password',
    () => ({ run: async () => ({ findings: [{ ...finding, text: `No login with ${password}.` }] }) }),
    ['reports no secret'],
  ],
  [
    'a check that runs once at a time',
    () => {
      let isRunning = false
      const run = async () => {
        if (isRunning) return { findings: [{ ...finding, state: 'broken', text: 'Busy.' }] }
        isRunning = true
        await Promise.resolve()
        isRunning = false
        return { findings: [finding] }
      }
      return { run }
    },
    [same],
  ],
  [
    'a run that waits for an abort that has been',
    () => ({
      run: ({ signal }: { readonly signal: AbortSignal }) =>
        signal.aborted ? new Promise(() => undefined) : Promise.resolve({ findings: [finding] }),
    }),
    [ends],
  ],
  ['an id that is none', () => ({ id: 'Tool Dice' }), [soundTitle]],
  ['a title that is too long', () => ({ title: 'All the dice of this house' }), [soundTitle]],
  ['an unknown member', () => ({ everySeconds: 5 }), [soundTitle]],
  ['a report without findings', () => ({ run: async () => ({}) }), [reports]],
  ['an unknown state', () => ({ run: async () => ({ findings: [{ ...finding, state: 'fine' }] }) }), [reports]],
  ['a finding of two lines', () => ({ run: async () => ({ findings: [{ ...finding, text: 'Six\nand more.' }] }) }), [reports]],
  ['a report with a function', () => ({ run: async () => ({ findings: [finding], json: () => 6 }) }), [reports]],
  [
    'a check that uses up what it examines',
    () => {
      let times = 0
      const run = async () => {
        times += 1
        return { findings: [{ ...finding, text: `Run ${times}` }] }
      }
      return { run }
    },
    [reports],
  ],
  [
    'a run that continues after its abort',
    () => ({
      run: ({ signal }: { readonly signal: AbortSignal }) =>
        new Promise((resolve) => {
          const timer = setTimeout(resolve, 5, { findings: [finding] })
          signal.addEventListener('abort', () => clearTimeout(timer))
        }),
    }),
    [ends],
  ],
]

const changes = 'changes nothing'
const afterwards = (effect: () => void) => () => ({
  run: async () => {
    effect()
    return { findings: [finding] }
  },
})

const effects: readonly (readonly [string, () => object, readonly string[]])[] = [
  ['a check that writes into what it examines', afterwards(() => void drawer.push('a die')), [changes]],
  ['a check that changes the environment', afterwards(() => Object.assign(process.env, { DICE_OF_A_CHECK: 'six' })), [changes]],
  ['a check that sets the exit code', afterwards(() => Object.assign(process, { exitCode: 3 })), [changes]],
  ['a check that takes the signals of the program', afterwards(() => void process.on('SIGHUP', ignored)), [changes]],
  ['a check that prints', afterwards(() => process.stdout.write('')), ['writes nothing itself']],
  ['a check that logs', afterwards(() => console.log('Six.')), ['writes nothing itself']],
  [
    'a check that leaves servers open',
    () => ({
      run: async () => {
        const server = createServer().listen(0, '127.0.0.1')
        servers.push(server)
        await once(server, 'listening')
        return { findings: [finding] }
      },
    }),
    ['leaves nothing open, however often it runs'],
  ],
  [
    'a check that keeps the failure of an aborted run',
    () => {
      let asked: Promise<object> | undefined
      return {
        run: ({ signal }: { readonly signal: AbortSignal }) => {
          asked ??= (async () => {
            await Promise.resolve()
            signal.throwIfAborted()
            return { findings: [finding] }
          })()
          return asked
        },
      }
    },
    [ends],
  ],
  ['a report with a big integer', () => ({ run: async () => ({ findings: [finding], json: { dice: 6n } }) }), [reports]],
  ['a report with a date', () => ({ run: async () => ({ findings: [finding], json: new Date(0) }) }), [reports]],
]
const ignored = (): void => undefined
const servers: Server[] = []

const honest = 'does not report that all is well where something is missing or out of reach'
const dishonest: readonly (readonly [string, () => Promise<unknown>, readonly string[]])[] = [
  ['a check that is well where it could not look', async () => ({ findings: [finding] }), [honest]],
  ['a check that returns nothing where it could not look', async () => undefined, [honest]],
  ['a check that says nothing where it could not look', async () => ({ findings: [] }), [honest]],
  [
    'an error with a password',
    async () => {
      throw new Error(`No login with ${password}.`)
    },
    ['reports no secret'],
  ],
  ['a check that waits for what does not answer, aborted or not', () => new Promise(() => undefined), [ends, 'reports no secret', honest]],
]

describe('describeDoctorCheck', () => {
  const { log } = console
  // As under frameworks with a console of their own.
  beforeEach(() => Object.assign(console, { log: ignored }))
  afterEach(() => {
    Object.assign(console, { log })
    process.exitCode = undefined
    delete process.env['DICE_OF_A_CHECK']
    for (const server of servers.splice(0)) server.close()
    while (process.listenerCount('SIGHUP') > 0) process.off('SIGHUP', ignored)
  })

  it('passes a check that keeps the contract', async () => {
    expect(await failing(() => ({}))).to.deep.equal([])
  })
  it('passes a check that throws where something is missing, and one that hands its signal to fetch', async () => {
    const run = async ({ signal }: { readonly signal: AbortSignal }) => {
      await fetch('data:text/plain,six', { signal })
      return { findings: [finding] }
    }
    const broken = () => ({ ...create(), run: () => Promise.reject(new Error('There are no dice.')) })
    expect(await failing(() => ({ run }), { broken })).to.deep.equal([])
  })
  it('passes a check that measures, and says so', async () => {
    const run = async () => ({ findings: [{ ...finding, text: `Rolled in ${performance.now()} ms.` }] })
    expect(await failing(() => ({ run }), { measures: true })).to.deep.equal([])
  })
  it('says what it did not check, and nothing of what does not apply', async () => {
    const notes = async (options: Partial<DoctorCheckSuiteOptions>): Promise<readonly string[]> => {
      const runner = createCollectingRunner()
      describeDoctorCheck({ name: 'dice', runner, create, ...options })
      expect((await runner.run()).filter(({ error }) => error !== undefined)).to.deep.equal([])
      return runner.notes.map((note) => /“(.*?)”/.exec(note)?.[1] ?? note)
    }
    expect(await notes({})).to.deep.equal(['broken', 'secrets', 'state'])
    expect(await notes({ broken: 'not applicable', secrets: 'not applicable', state: 'not applicable' })).to.deep.equal([])
  })
  for (const [what, run, titles] of dishonest) {
    it(`catches ${what}`, async () => {
      expect(await failing(() => ({}), { broken: () => ({ ...create(), run }) as DoctorCheck })).to.deep.equal(titles)
    })
  }
  for (const [what, change, titles] of [...faults, ...effects]) {
    it(`catches ${what}`, async () => {
      expect(await failing(change)).to.include.members([...titles])
    })
  }
})
