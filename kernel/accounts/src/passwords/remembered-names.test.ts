import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { expect } from 'chai'
import { createLoginThrottle } from './login-throttle.js'
import { createRememberedNames } from './remembered-names.js'

/** What is in use once everything that can be collected is gone, in bytes. */
function usedMemory(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}

describe('names that callers choose', () => {
  const remembered = (max: number) => {
    const clock = createControlledClock()
    return { clock, names: createRememberedNames<number>({ clock, max, lifetimeMs: 1_000 }) }
  }
  const plain = { guarded: false }
  const guarded = { guarded: true }

  it('are forgotten when their time is over, also where nobody asks for them', async () => {
    const { clock, names } = remembered(100)
    names.set('one', 1, plain)
    names.set('two', 2, guarded)
    await clock.advance(999)
    expect([names.get('one'), names.get('two')]).to.deep.equal([1, 2])
    await clock.advance(1)
    expect([names.get('one'), names.get('two')]).to.deep.equal([undefined, undefined])
    names.set('three', 3, plain)
    expect(names.size()).to.equal(1)
  })

  it('push out what rested longest, and what is guarded last of all', () => {
    const { names } = remembered(3)
    names.set('watched', 0, guarded)
    for (let index = 0; index < 100; index += 1) names.set(`name ${index}`, index, plain)
    expect([names.get('watched'), names.get('name 98'), names.get('name 99'), names.size()]).to.deep.equal([0, 98, 99, 3])
    for (let index = 0; index < 3; index += 1) names.set(`guarded ${index}`, index, guarded)
    expect([names.get('watched'), names.get('guarded 2'), names.size()]).to.deep.equal([undefined, 2, 3])
  })

  it('cost no more memory the longer they are', () => {
    const { names } = remembered(100)
    const before = usedMemory()
    for (let index = 0; index < 100; index += 1) names.set(`${index}${'x'.repeat(1_000_000)}`, index, plain)
    expect(usedMemory() - before).to.be.lessThan(10_000_000)
    expect(names.get(`7${'x'.repeat(1_000_000)}`)).to.equal(7)
  })
})

describe('a flood of names', () => {
  it('makes no attempt at a name under attack free again', () => {
    const loginThrottle = createLoginThrottle({ clock: createControlledClock() })
    for (let attempt = 0; attempt < 7; attempt += 1) loginThrottle.take('victim')
    const waited = loginThrottle.take('victim')
    expect(waited).to.be.greaterThan(1_000)
    for (let index = 0; index < 60_000; index += 1) loginThrottle.take(`name ${index}`)
    expect(loginThrottle.take('victim')).to.be.greaterThan(waited)
  })
})
