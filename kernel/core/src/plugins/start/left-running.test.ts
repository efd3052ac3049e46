import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect } from 'chai'
import { createPluginFaults, type PluginFaults } from './plugin-faults.js'

const never = (): void => undefined

describe('what plugins left running', () => {
  const opened: (() => void)[] = []
  afterEach(() => {
    for (const close of opened.splice(0)) close()
  })

  const start = (...ids: readonly string[]): PluginFaults => {
    const faults = createPluginFaults()
    for (const id of ids) faults.followHandles(id)
    return faults
  }
  const timer = (): NodeJS.Timeout => {
    const interval = setInterval(never, 1_000)
    opened.push(() => clearInterval(interval))
    return interval
  }

  it('is told by plugin, once, with what its callbacks opened later', async () => {
    const faults = start('one', 'two')
    await faults.run('one', async () => {
      timer()
      const server = createServer(never).listen(0, '127.0.0.1')
      await once(server, 'listening')
      opened.push(() => server.close())
    })
    faults.run('two', timer)
    timer()
    const [one, two, ...more] = faults.takeLeftRunning()
    expect(one?.pluginId).to.equal('one')
    expect(one?.what).to.match(/^1 timer, 1 server \(:\d+\)$/)
    expect([two, ...more]).to.deep.equal([{ pluginId: 'two', what: '1 timer' }])
    expect(faults.takeLeftRunning()).to.deep.equal([])
  })

  it('is nothing that is over or holds no process, and nothing of plugins that are not followed', async () => {
    const faults = start('tidy')
    await faults.run('tidy', async () => {
      clearInterval(timer())
      timer().unref()
      await new Promise((resolve) => setTimeout(resolve, 1))
    })
    faults.run('built in', timer)
    expect(faults.takeLeftRunning()).to.deep.equal([])
  })

  it('keeps two hosts with a plugin of the same id apart', () => {
    const [first, second] = [start('same'), start('same')]
    first.run('same', timer)
    expect(second.takeLeftRunning()).to.deep.equal([])
    expect(first.takeLeftRunning()).to.deep.equal([{ pluginId: 'same', what: '1 timer' }])
  })

  it('is found among any number of timers that are over', () => {
    const faults = start('busy')
    faults.run('busy', () => {
      timer()
      for (let count = 0; count < 10_000; count++) clearTimeout(setTimeout(never, 1_000))
      timer()
    })
    expect(faults.takeLeftRunning()).to.deep.equal([{ pluginId: 'busy', what: '2 timers' }])
  })
})
