import { type Contribution, defineContributionPoint } from '@agent-service/sdk'
import { expect } from 'chai'
import { createControlledClock } from '../../clock/testing/controlled-clock.js'
import { createMemoryLog, type LogLine } from '../run/fixture.test.js'
import { ContributionRegistry } from './contribution-registry.js'

interface Thing extends Contribution {
  readonly id: string
}

const things = defineContributionPoint<Thing>({ id: 'thing', cardinality: 'many', specVersions: [1], keyOf: ({ id }) => id })
const thing = (key: string, point = 'thing') => ({ point, key, value: { specVersion: 1, id: key } as Thing })

describe('the contribution registry', () => {
  const make = () => {
    const lines: LogLine[] = []
    const clock = createControlledClock()
    return { lines, clock, registry: new ContributionRegistry(clock, createMemoryLog(lines)) }
  }

  it('lists in order of key, with the owners and the contributed objects themselves', () => {
    const { registry } = make()
    const mine = thing('b')
    registry.admit('one', [thing('c'), mine])
    registry.admit('two', [thing('a'), thing('a', 'other')])
    expect(registry.list(things).map(({ key, pluginId }) => `${key} of ${pluginId}`)).to.deep.equal(['a of two', 'b of one', 'c of one'])
    expect(registry.acquire(things, 'b')).to.include({ key: 'b', pluginId: 'one', value: mine.value })
    expect(registry.acquire(things, 'z')).to.equal(undefined)
  })

  it('admits all contributions of a plugin or none', () => {
    const { registry } = make()
    registry.admit('one', [thing('b')])
    expect(() => registry.admit('two', [thing('a'), thing('b')])).to.throw(
      /“two” contributed “b” to thing, but plugin “one” already has that key/,
    )
    expect(registry.list(things).map(({ key }) => key)).to.deep.equal(['b'])
  })

  it('refuses a name that another plugin claims at the point, until that plugin stops', () => {
    const { registry } = make()
    const claiming = (key: string, ...claims: readonly string[]) => ({ ...thing(key), claims })
    const admission = registry.admit('one', [claiming('a', '/a', '/b'), thing('c')])
    registry.admit('two', [{ ...thing('a', 'other'), claims: ['/b'] }])
    expect(() => registry.admit('three', [thing('d'), claiming('e', '/e', '/b')]))
      .to.throw('“three” claims “/b” for “e” of thing, but plugin “one” already has that.')
      .with.property('details')
      .that.includes({ plugin: 'three', owner: 'one', claim: '/b' })
    expect(registry.list(things).map(({ key }) => key)).to.deep.equal(['a', 'c'])
    admission.withdraw()
    registry.admit('three', [claiming('e', '/b')])
    expect(registry.list(things).map(({ pluginId }) => pluginId)).to.deep.equal(['three'])
  })

  it('calls listeners of a point once for each change, even if another listener throws', async () => {
    const { registry, lines } = make()
    const heard: string[] = []
    registry.onChange(things, () => {
      throw new Error('deaf')
    })
    const listener = () =>
      heard.push(
        registry
          .list(things)
          .map(({ key }) => key)
          .join(),
      )
    const off = registry.onChange(things, listener)
    const offAgain = registry.onChange(things, listener)
    await offAgain()
    const admission = registry.admit('one', [thing('a'), thing('b'), thing('c', 'other')])
    admission.withdraw()
    admission.withdraw()
    expect(heard).to.deep.equal(['a,b', ''])
    await off()
    await off()
    registry.admit('one', [thing('a')])
    expect(heard).to.have.length(2)
    expect(lines.filter(({ level }) => level === 'error')).to.have.length(3)
  })

  it('frees a key as soon as its owner is stopping', () => {
    const { registry } = make()
    const admission = registry.admit('one', [thing('a')])
    const lease = registry.acquire(things, 'a')
    void admission.drain(10, 'over')
    registry.admit('two', [thing('a')])
    admission.withdraw()
    lease?.release()
    expect(registry.list(things).map(({ pluginId }) => pluginId)).to.deep.equal(['two'])
  })

  it('waits for leases of calls and of the plugin, up to the limit', async () => {
    const { registry, clock } = make()
    const admission = registry.admit('one', [thing('a')])
    const call = registry.acquire(things, 'a')
    const whole = admission.acquire()
    expect(admission.openLeases()).to.equal(2)
    const drained = admission.drain(100, 'over')
    call?.release()
    await clock.advance(100)
    expect(await drained).to.equal(1)
    expect(call?.signal.aborted).to.equal(false)
    expect(whole?.signal.reason).to.equal('over')
    expect(admission.acquire()).to.equal(undefined)
    expect(clock.pending()).to.equal(0)
  })
})
