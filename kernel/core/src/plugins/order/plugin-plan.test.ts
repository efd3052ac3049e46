import { expect } from 'chai'
import { type Placement, type PlannedPlugin, planPlugins } from './plugin-plan.js'

const plugin = (id: string, manifest: PlannedPlugin['manifest'] = {}, running = false): PlannedPlugin => ({
  ...{ id, manifest, running },
  builtIn: true,
})

const guest = (id: string, manifest: PlannedPlugin['manifest'] = {}): PlannedPlugin => ({ id, manifest, running: false, builtIn: false })

const plan = (...plugins: readonly PlannedPlugin[]): Readonly<Record<string, Placement>> =>
  Object.fromEntries(
    planPlugins(plugins, {
      hasKernelService: (id) => id === 'kernel.clock',
      absenceReason: (service) => (service === 'sleeping' ? 'which plugin “sleeper” would provide, and that is disabled' : undefined),
    }),
  )

const reasonOf = (placement: Placement | undefined): string =>
  placement === undefined || placement.outcome === 'start' ? '' : placement.reason

describe('planPlugins', () => {
  it('starts providers first, optional ones too, and all others in parallel', () => {
    expect(
      plan(
        plugin('a', { requires: ['s', 'kernel.clock'], optional: ['t', 'nowhere'] }),
        plugin('b', { provides: ['s'] }),
        plugin('c', { provides: ['t'] }),
        plugin('d'),
      ),
    ).to.deep.equal({
      a: { outcome: 'start', after: ['b', 'c'] },
      b: { outcome: 'start', after: [] },
      c: { outcome: 'start', after: [] },
      d: { outcome: 'start', after: [] },
    })
  })

  it('blocks a plugin without its requirement and all that require it, with the chain of reasons', () => {
    const result = plan(
      plugin('a', { requires: ['s'] }),
      plugin('b', { provides: ['s'], requires: ['nowhere'] }),
      plugin('c', { optional: ['s'] }),
    )
    expect(result['b']).to.deep.equal({
      outcome: 'blocked',
      reason: 'it requires the service “nowhere”, which no installed plugin provides',
    })
    expect(reasonOf(result['a'])).to.equal(
      'it requires the service “s” of plugin “b”, which is blocked: it requires the service “nowhere”, which no installed plugin provides',
    )
    expect(result['c']).to.deep.equal({ outcome: 'start', after: ['b'] })
  })

  it('names the absent provider, and the services that the kernel does not have', () => {
    expect(reasonOf(plan(plugin('a', { requires: ['sleeping'] }))['a'])).to.contain('plugin “sleeper” would provide, and that is disabled')
    expect(reasonOf(plan(plugin('a', { requires: ['kernel.soul'] }))['a'])).to.contain(
      '“kernel.soul”, which this version of the service does not have',
    )
  })

  it('refuses both providers of one service, whatever their order, and blocks its users', () => {
    const rivals = [plugin('a', { provides: ['s'] }), plugin('b', { provides: ['s'] }), plugin('c', { requires: ['s'] })]
    for (const order of [rivals, [...rivals].reverse()]) {
      const result = plan(...order)
      for (const id of ['a', 'b']) {
        expect(result[id]).to.have.property('outcome', 'invalid')
        expect(reasonOf(result[id])).to.contain('“s”').and.contain('“a”').and.contain('“b”')
      }
      expect(result['c']).to.have.property('outcome', 'blocked')
    }
  })

  it('keeps the running provider when a second one is added', () => {
    const result = plan(plugin('a', { provides: ['s'] }), plugin('b', { provides: ['s'] }, true), plugin('c', { requires: ['s'] }, true))
    expect(result['a']).to.have.property('outcome', 'invalid')
    expect(result['b']).to.have.property('outcome', 'start')
    expect(result['c']).to.deep.equal({ outcome: 'start', after: ['b'] })
  })

  it('names the whole cycle in each of its members, and blocks those that depend on it', () => {
    const result = plan(
      plugin('a', { provides: ['sa'], requires: ['sb'] }),
      plugin('b', { provides: ['sb'], optional: ['sc'] }),
      plugin('c', { provides: ['sc'], requires: ['sa'] }),
      plugin('d', { requires: ['sa'] }),
      plugin('e', { provides: ['se'], optional: ['sf', 'sa'] }),
      plugin('f', { provides: ['sf'], optional: ['se'] }),
    )
    for (const id of ['a', 'b', 'c']) {
      expect(result[id]).to.have.property('outcome', 'invalid')
      expect(reasonOf(result[id])).to.contain('a → b → c → a')
    }
    expect(result['d']).to.have.property('outcome', 'blocked')
    for (const id of ['e', 'f']) expect(reasonOf(result[id])).to.contain('e → f → e')
  })

  it('finds both of two cycles that share a plugin', () => {
    const result = plan(
      plugin('a', { provides: ['sa'], requires: ['sb', 'sc'] }),
      plugin('b', { provides: ['sb'], requires: ['sa'] }),
      plugin('c', { provides: ['sc'], requires: ['sa'] }),
    )
    expect(Object.values(result).map(({ outcome }) => outcome)).to.deep.equal(['invalid', 'invalid', 'invalid'])
    expect(reasonOf(result['c'])).to.contain('a').and.contain('c')
  })
})

describe('planPlugins, with third parties', () => {
  it('starts them after every built-in plugin that does not wait for them', () => {
    const placements = plan(plugin('a'), plugin('b', { optional: ['s'] }), guest('x', { provides: ['s'] }), guest('y'))
    expect(placements['a']).to.deep.equal({ outcome: 'start', after: [] })
    expect(placements['b']).to.deep.equal({ outcome: 'start', after: ['x'] })
    expect(placements['x']).to.deep.equal({ outcome: 'start', after: ['a'] })
    expect(placements['y']).to.deep.equal({ outcome: 'start', after: ['a', 'b'] })
  })

  it('adds no cycle by that order', () => {
    const placements = plan(
      plugin('a', { optional: ['s'] }),
      plugin('b', { optional: ['t'] }),
      guest('x', { provides: ['s'] }),
      guest('y', { provides: ['t'] }),
    )
    expect(placements['x']).to.deep.equal({ outcome: 'start', after: ['b'] })
    expect(placements['y']).to.deep.equal({ outcome: 'start', after: [] })
  })

  it('refuses only the one that provides a service of a built-in plugin', () => {
    const placements = plan(plugin('a', { provides: ['s'] }), guest('x', { provides: ['s'] }))
    expect(placements['a']).to.deep.equal({ outcome: 'start', after: [] })
    expect(reasonOf(placements['x'])).to.contain('“a” and “x”')
  })

  it('refuses only the one in a cycle with a built-in plugin', () => {
    const placements = plan(plugin('a', { provides: ['s'], optional: ['t'] }), guest('x', { provides: ['t'], requires: ['s'] }))
    expect(placements['a']).to.include({ outcome: 'start' })
    expect(placements['x']).to.include({ outcome: 'invalid' })
    expect(reasonOf(placements['x'])).to.contain('a → x → a')
  })
})
