import { expect } from 'chai'
import { createOpenDriver, soundHealth } from '../test-support/open-driver.js'
import { type SandboxUnderTest, startSandbox } from '../test-support/sandbox-under-test.js'

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => error.message,
  )
const signal = new AbortController().signal

describe('the driver of the sandbox', () => {
  let under: SandboxUnderTest
  afterEach(() => under.stop())

  it('removes what a crash left before anything runs, and says what it confines', async () => {
    under = await startSandbox()
    expect(under.open.sweeps()).to.equal(1)
    await (await under.shell('true')).exited
    expect(under.open.sweeps()).to.equal(1)
    expect(under.open.requests[0]?.confined).to.equal(true)
    expect(await under.sandbox.health({ signal })).to.deep.equal({ ...soundHealth, driver: 'open', disabled: false })
    expect(under.test.lines.map(({ message }) => message)).to.deep.equal(['The sandbox is ready.'])
  })

  it('lets no program make a file that is longer than the files of its user may be, or than any file needs', async () => {
    const [fixed, least] = [68_719_476_736, 268_435_456]
    for (const [maxBytes, expected] of [
      [undefined, fixed],
      [10 * fixed, fixed],
      [2 * least, 2 * least],
      [1_000, least],
    ] as const) {
      under = await startSandbox({ ...(maxBytes !== undefined && { maxBytes }) })
      await (await under.shell('true')).exited
      expect(under.open.requests[0]?.limits).to.include({ maxFileBytes: expected })
      await under.stop()
    }
    under = await startSandbox()
  })

  it('lifts the confinement of files alone when the section says so, which the log, the audit log and the health repeat', async () => {
    under = await startSandbox({ config: { disabled: true } })
    await (await under.shell('true')).exited
    const [request] = under.open.requests
    expect(request?.confined).to.equal(false)
    expect(request?.limits).to.have.property('memoryBytes')
    expect(request?.network).to.include({ access: 'some' })
    expect(request?.token).to.have.property('variable', 'AGENT_SERVICE_TOKEN_FILE')
    expect(await under.sandbox.health({ signal })).to.include({ disabled: true })
    expect(under.test.lines.filter(({ level, message }) => level === 'warn' && message.includes('sandbox.disabled'))).to.have.length(1)
    expect(under.test.services.audit.noted.map(({ kind }) => kind)).to.deep.equal(['sandbox.unconfined'])
  })

  it('confines nothing here: nothing runs, unless the section lifts the confinement', async () => {
    const open = { state: 'open', by: '', reason: 'Nothing is installed that confines.' } as const
    const health = { ...soundHealth, confines: false, mode: 'none', fences: { ...soundHealth.fences, files: open, processes: open } }
    const changes = { health: () => Promise.resolve(health) }
    under = await startSandbox({ driver: createOpenDriver(changes) })
    expect(await messageOf(under.shell('true'))).to.include('Nothing is installed that confines.')
    expect(under.open.requests).to.deep.equal([])
    expect(under.test.lines.map(({ level, message }) => [level, message])).to.deep.include([
      'warn',
      'No code of agents can run: nothing on this machine would confine it.',
    ])
    await under.stop()
    under = await startSandbox({ driver: createOpenDriver(changes), config: { disabled: true } })
    expect((await (await under.shell('true')).exited).code).to.equal(0)
  })

  it('is missing: nothing runs, and the reason says what to install', async () => {
    under = await startSandbox({ driver: 'none' })
    expect(await messageOf(under.shell('true'))).to.include('no plugin with a sandbox driver for linux runs')
    expect(await messageOf(under.sandbox.health({ signal }))).to.include('no plugin')
  })

  it('is for another system: nothing runs', async () => {
    under = await startSandbox({ driver: createOpenDriver({ platforms: ['darwin'] }) })
    expect(await messageOf(under.shell('true'))).to.include('no plugin with a sandbox driver for linux runs')
  })

  it('is one of two: nothing runs, whatever the order of loading, until one is disabled', async () => {
    under = await startSandbox()
    under.addDriver({ ...createOpenDriver().driver, id: 'other' }, 'sandbox-other')
    expect(await messageOf(under.shell('true'))).to.match(/“another-plugin” and “sandbox-other”.*plugins\.disabled/)
  })

  it('comes late: what runs afterwards has it', async () => {
    under = await startSandbox({ driver: 'none' })
    under.addDriver(under.open.driver)
    expect((await (await under.shell('true')).exited).code).to.equal(0)
  })

  it('cannot remove what a crash left: nothing runs', async () => {
    under = await startSandbox({ driver: createOpenDriver({ sweep: () => Promise.reject(new Error('busy')) }) })
    expect(await messageOf(under.shell('true'))).to.include('could not remove what an earlier process')
    expect(under.open.requests).to.deep.equal([])
  })

  it('ends what runs when it goes', async () => {
    under = await startSandbox()
    const running = await under.shell('sleep 100')
    under.addDriver({ ...createOpenDriver().driver, id: 'other' }, 'sandbox-other')
    expect((await running.exited).reason).to.equal('stopped')
  })
})
