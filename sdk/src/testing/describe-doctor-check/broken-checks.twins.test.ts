import { expect } from 'chai'
import { type DoctorCheck, defineDoctorCheck } from '../../contracts/doctor-check/index.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeDoctorCheck } from './index.js'

const create = (): DoctorCheck =>
  defineDoctorCheck({
    ...{ id: 'tool-dice', title: 'Dice' },
    run: async () => ({ findings: [{ state: 'well', text: 'Six of them are here.' }], json: { dice: 6 } }),
  })

async function failing(change: () => object): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeDoctorCheck({
    name: 'dice',
    runner,
    abortLimitMs: 30,
    secrets: ['hunter2-of-the-mail-server'],
    create: () => ({ ...create(), ...change() }),
  })
  const results = await runner.run({ testLimitMs: 200 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('doctor check dice › ', ''))
}

const reports = 'reports findings, and the same ones again'
const ends = 'ends when it is aborted'
const finding = { state: 'well', text: 'Six.' }

const same = 'reports the same to several who ask at once'
const faults: readonly (readonly [string, () => object, readonly string[]])[] = [
  [
    'a report with a password',
    () => ({ run: async () => ({ findings: [{ ...finding, text: 'No login with hunter2-of-the-mail-server.' }] }) }),
    ['reports no secret'],
  ],
  [
    'a listener that stays on the signal',
    () => ({
      run: async ({ signal }: { readonly signal: AbortSignal }) => {
        signal.addEventListener('abort', () => undefined)
        return { findings: [finding] }
      },
    }),
    ['leaves no listener on its signal'],
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

describe('describeDoctorCheck', () => {
  it('passes a check that keeps the contract', async () => {
    expect(await failing(() => ({}))).to.deep.equal([])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect(await failing(change)).to.include.members([...titles])
    })
  }
})
