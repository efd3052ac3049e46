import { setImmediate } from 'node:timers/promises'
import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { quietLog } from '@agent-service/kernel-core/database/testing'
import { createRedactor } from '@agent-service/kernel-core/log'
import { ContributionRegistry } from '@agent-service/kernel-core/plugins/contributions'
import { type DoctorReport, defineDoctorCheck, doctorChecks } from '@agent-service/sdk/contracts/doctor-check'
import { expect } from 'chai'
import { createHealthChecks, type OwnCheck } from './run-checks.js'

const well: OwnCheck = { id: 'database', title: 'Database', run: async () => [{ state: 'well', text: 'is writable' }] }

function checksWith(run: () => Promise<DoctorReport>, own: readonly OwnCheck[] = [well]) {
  const contributions = new ContributionRegistry(createControlledClock(), quietLog)
  const value = defineDoctorCheck({ id: 'tool-lamp', title: 'Lamp', run })
  contributions.admit('tool-lamp', [{ point: doctorChecks.id, key: 'tool-lamp', value }])
  const redactor = createRedactor()
  redactor.protect('kanarienvogel-4711')
  return createHealthChecks({ contributions, own, redactor, signal: new AbortController().signal, now: () => 0 })
}

describe('the checks of a running service', () => {
  it('give the findings of the service and of plugins, without secrets', async () => {
    const checks = checksWith(async () => ({ findings: [{ state: 'warning', text: 'The bulb kanarienvogel-4711 is dim.' }] }))
    expect(await checks.run()).to.deep.equal({
      at: '1970-01-01T00:00:00.000Z',
      results: [
        { id: 'database', title: 'Database', plugin: null, findings: [{ state: 'well', text: 'is writable' }] },
        { id: 'tool-lamp', title: 'Lamp', plugin: 'tool-lamp', findings: [{ state: 'warning', text: 'The bulb [redacted] is dim.' }] },
      ],
    })
  })

  it('report one that throws or breaks its contract as failed, and leave out one without findings', async () => {
    const failing = async (run: () => Promise<unknown>) => (await checksWith(run as () => Promise<DoctorReport>).run()).results[1]?.findings
    expect(await failing(() => Promise.reject(new Error('no bulb')))).to.deep.equal([
      { state: 'failed', text: 'could not be checked: no bulb' },
    ])
    expect((await failing(async () => ({ findings: [{ state: 'odd', text: '' }] })))?.[0]?.text).to.match(/broke its contract/)
    expect(await failing(async () => ({ findings: [] }))).to.equal(undefined)
  })

  it('are no leak of listeners to Node.js, however many there are', async () => {
    const own = Array.from({ length: 12 }, (_, index): OwnCheck => ({ ...well, id: `database-${index}` }))
    const warnings: Error[] = []
    const collect = (warning: Error): number => warnings.push(warning)
    process.on('warning', collect)
    try {
      const { results } = await checksWith(async () => ({ findings: [] }), own).run()
      // Warnings are emitted after what runs now.
      await setImmediate()
      expect(results).to.have.length(12)
      expect(warnings).to.deep.equal([])
    } finally {
      process.off('warning', collect)
    }
  })

  it('run once for calls that come while they run, and again afterwards', async () => {
    let runs = 0
    const checks = checksWith(async () => {
      runs += 1
      return { findings: [{ state: 'well', text: 'shines' }] }
    })
    const [first, second] = await Promise.all([checks.run(), checks.run()])
    expect(first).to.equal(second)
    await checks.run()
    expect(runs).to.equal(2)
  })
})
