import { access } from 'node:fs/promises'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { compiledHelper } from '../helper/compile-helper.js'
import { createPrincipalNetworks, maxUnused, type PrincipalNetworks } from './principal-networks.js'

const isRunning = (pid: number): Promise<boolean> =>
  access(`/proc/${pid}/ns/net`).then(
    () => true,
    () => false,
  )

/** Resolves when the process has ended. */
const untilEnded = (pid: number) => eventually(async () => !(await isRunning(pid)), { what: `the end of the keeper ${pid}` })

describe('the networks of principals', function () {
  this.timeout(30_000)
  let networks: PrincipalNetworks
  const open = async (limitMs?: number): Promise<void> => {
    const helper = await compiledHelper()
    if ('missing' in helper) throw new Error(helper.missing)
    networks = createPrincipalNetworks(helper.path, limitMs)
  }
  afterEach(() => networks.close())

  it('stay a while after their last process, with nothing of it, and each to its principal', async () => {
    await open()
    const first = await networks.join('one')
    const stop = await first.share(61_000, 'the API', (socket) => socket.end())
    ;(await first.connect(61_000)).destroy()
    stop()
    first.release()
    const again = await networks.join('one')
    const other = await networks.join('two')
    expect([again.pid === first.pid, other.pid === first.pid]).to.deep.equal([true, false])
    expect(await again.connect(61_000).catch((error: Error) => error.message)).to.include('cannot be reached')
    // The connection of before waits for its last packets, and does not take the port.
    const shared = await again.share(61_000, 'the API elsewhere', (socket) => socket.end())
    shared()
    other.release()
    again.release()
  })

  it('are several of a principal by name, which end with it', async () => {
    await open()
    const [own, named, again] = [await networks.join('one'), await networks.join('one', 'work'), await networks.join('one', 'work')]
    expect([named.pid === own.pid, named.pid === again.pid]).to.deep.equal([false, true])
    for (const each of [own, named, again]) each.release()
    networks.forget('one')
    await untilEnded(own.pid)
    await untilEnded(named.pid)
  })

  it('end when they have been unused for as long as they may, not while they are used', async () => {
    await open(100)
    const [used, unused] = [await networks.join('one'), await networks.join('two')]
    unused.release()
    // Used again before the limit, and after it.
    const beside = await networks.join('one')
    beside.release()
    await untilEnded(unused.pid)
    expect(await isRunning(used.pid)).to.equal(true)
    const fresh = await networks.join('two')
    expect(fresh.pid).not.to.equal(unused.pid)
    fresh.release()
    used.release()
    await untilEnded(used.pid)
  })

  it('end from the longest unused on when there are too many', async () => {
    await open()
    const pids: number[] = []
    for (let index = 0; index <= maxUnused; index += 1) {
      const network = await networks.join(`principal ${index}`)
      pids.push(network.pid)
      network.release()
    }
    await untilEnded(pids[0] ?? 0)
    const running = await Promise.all(pids.slice(1).map(isRunning))
    expect(running.every(Boolean)).to.equal(true)
  })

  it('end with a principal that is forgotten, unless it has processes, and all of them at the end', async () => {
    await open()
    const [one, two, three] = [await networks.join('one'), await networks.join('two'), await networks.join('three')]
    one.release()
    three.release()
    networks.forget('one')
    networks.forget('two')
    networks.forget('four')
    await untilEnded(one.pid)
    expect([await isRunning(two.pid), await isRunning(three.pid)]).to.deep.equal([true, true])
    networks.close()
    await untilEnded(two.pid)
    await untilEnded(three.pid)
  })
})
