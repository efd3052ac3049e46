import { expect } from 'chai'
import { createMemoryLog, type LogLine } from '../run/fixture.test.js'
import { createIntrinsicsGuard } from './intrinsics-guard.js'

const failureOf = (work: Promise<unknown>): Promise<string> => work.then(String, ({ message }: Error) => message)

const { now } = Date
const stopTime = (): void => {
  Date.now = () => 0
}

describe('what a plugin changes of the language', () => {
  const lines: LogLine[] = []
  const guard = createIntrinsicsGuard(createMemoryLog(lines))
  afterEach(() => {
    lines.length = 0
    Date.now = now
  })

  it('is put back and refused, also after a wait if no other plugin starts', async () => {
    for (const wait of [false, true]) {
      const failure = failureOf(
        guard.around('clockwork', async () => {
          if (wait) await null
          stopTime()
        }),
      )
      expect(await failure)
        .to.include('it replaced Date.now, but')
        .and.to.include('That was put back.')
      expect(Date.now).to.equal(now)
    }
    expect(lines).to.deep.equal([])
  })

  it('is put back and told with all who were starting if it may be of any of them', async () => {
    let proceed = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      proceed = resolve
    })
    const steps = ['one', 'two'].map((id) =>
      guard.around(id, async () => {
        await gate
        if (id === 'one') stopTime()
      }),
    )
    proceed()
    await Promise.all(steps)
    expect(Date.now).to.equal(now)
    expect(lines.map(({ level, message }) => `${level}: ${message.slice(0, 94)}`)).to.deep.equal([
      'error: One of the plugins that were starting (one, two) changed what belongs to all: it replaced Date',
    ])
  })

  it('is put back and told with the plugin when a hook does it, also one that throws', () => {
    expect(
      guard.aroundHook('clockwork', () => {
        stopTime()
        return Date.now()
      }),
    ).to.equal(0)
    expect(Date.now).to.equal(now)
    expect(() =>
      guard.aroundHook('clockwork', () => {
        stopTime()
        throw new Error('no time')
      }),
    ).to.throw('no time')
    expect(Date.now).to.equal(now)
    const line = 'error: Plugin “clockwork” changed what belongs to all: it replaced Date.now, but'
    expect(lines.map(({ level, message }) => `${level}: ${message}`.slice(0, line.length))).to.deep.equal([line, line])
  })

  it('is refused again when the module is imported again, which runs nothing', async () => {
    const load = (change: () => void): Promise<string> =>
      failureOf(guard.aroundImport('clockwork', '/plugins/clockwork.js', async () => change()))
    const first = await load(stopTime)
    expect(first).to.include('it replaced Date.now')
    expect(await load(() => undefined)).to.equal(first)
  })
})
