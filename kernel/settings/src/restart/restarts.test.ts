import { createTestClock } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createRestarts, type Restarts } from './restarts.js'

const actor = { userId: 'ada', address: null }
const scope = { add: () => undefined }
const never = new AbortController().signal

/** Resolves after everything that is ready now. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a restart', () => {
  const clock = createTestClock()
  let openRequests: number
  let quiet: () => void
  let restarts: Restarts
  let logged: string[]

  beforeEach(() => {
    openRequests = 0
    logged = []
    quiet = () => undefined
    const http = {
      openRequests: () => openRequests,
      whenQuiet: (signal: AbortSignal) =>
        new Promise<void>((resolve) => {
          quiet = resolve
          if (openRequests === 0 || signal.aborted) resolve()
          signal.addEventListener('abort', () => resolve())
        }),
    }
    restarts = createRestarts({ clock, limitMs: 60_000, http: () => http, logger: { error: (text) => void logged.push(text) } })
  })

  const statusThen = async (): Promise<string> => {
    await turn()
    return restarts.status()
  }

  it('begins at once where nothing is under way, with who asked for it', async () => {
    restarts.request({ actor, now: false })
    expect(await restarts.ordered).to.include({ actor, waitedMs: 0 })
    expect(restarts.status()).to.equal('restarting')
  })

  it('waits for work that is held, also for what begins meanwhile, and for requests', async () => {
    const plugin = restarts.ofPlugin(scope)
    openRequests = 1
    const one = await plugin.hold(never)
    restarts.request({ actor, now: false })
    const other = await plugin.hold(never)
    expect(restarts.work()).to.deep.equal({ calls: 2, requests: 1, resumes: 0, ends: 0 })
    void one()
    void one()
    expect(await statusThen()).to.equal('waiting')
    void other()
    expect(await statusThen()).to.equal('waiting')
    openRequests = 0
    quiet()
    expect(await statusThen()).to.equal('restarting')
  })

  it('waits again for work that began while it waited for requests', async () => {
    const plugin = restarts.ofPlugin(scope)
    openRequests = 1
    restarts.request({ actor, now: false })
    await turn()
    const release = await plugin.hold(never)
    openRequests = 0
    quiet()
    expect(await statusThen()).to.equal('waiting')
    void release()
    expect(await statusThen()).to.equal('restarting')
  })

  it('waits no longer than its limit', async () => {
    await restarts.ofPlugin(scope).hold(never)
    restarts.request({ actor, now: false })
    await clock.advance(59_999)
    expect(await statusThen()).to.equal('waiting')
    await clock.advance(1)
    expect((await restarts.ordered).waitedMs).to.equal(60_000)
  })

  it('does not wait where it is asked for now, also while it waits', async () => {
    await restarts.ofPlugin(scope).hold(never)
    restarts.request({ actor, now: false })
    expect(await statusThen()).to.equal('waiting')
    restarts.request({ actor: { userId: 'bob', address: null }, now: true })
    expect((await restarts.ordered).actor).to.equal(actor)
  })

  it('lets nothing begin once it goes on, and ends what would with its signal', async () => {
    restarts.request({ actor, now: true })
    await restarts.ordered
    const controller = new AbortController()
    const held = restarts.ofPlugin(scope).hold(controller.signal)
    const reason = new Error('The plugin stops.')
    controller.abort(reason)
    expect(await held.catch((error: unknown) => error)).to.equal(reason)
    expect(
      await restarts
        .ofPlugin(scope)
        .hold(controller.signal)
        .catch((error: unknown) => error),
    ).to.equal(reason)
  })

  it('tells what it would interrupt, until the plugin stops', () => {
    const undo: (() => unknown)[] = []
    const plugin = restarts.ofPlugin({ add: (_, dispose) => void undo.push(dispose) })
    plugin.tell({ resumes: () => 2, ends: () => 1 })
    plugin.tell({ resumes: () => 3 })
    expect(restarts.work()).to.include({ resumes: 5, ends: 1 })
    for (const dispose of undo) dispose()
    expect(restarts.work()).to.include({ resumes: 0, ends: 0 })
  })

  it('counts nothing for a plugin that cannot say it, and logs that', () => {
    const plugin = restarts.ofPlugin(scope)
    plugin.tell({
      resumes: () => {
        throw new Error('It is gone.')
      },
      ends: () => 1,
    })
    expect(restarts.work()).to.include({ resumes: 0, ends: 1 })
    expect(logged).to.have.length(1)
  })
})
