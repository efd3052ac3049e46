import { expect } from 'chai'
import { orderPlugins, type SeenPlugin } from './plugin-order.js'

const seen = (id: string, more: Partial<SeenPlugin> = {}): SeenPlugin => ({
  id,
  source: `/opt/${id}`,
  builtIn: false,
  status: 'valid',
  ...more,
})
const idsOf = (...given: Parameters<typeof orderPlugins>): readonly string[] => orderPlugins(...given).map(({ id }) => id)

describe('the order of third parties', () => {
  it('begins with those that were installed by command, by the time; the others follow by id', () => {
    const found = [seen('a'), seen('d', { installedAt: '2026-02-01' }), seen('c', { installedAt: '2026-03-01' }), seen('b')]
    expect(idsOf([], found, 'now')).to.deep.equal(['d', 'c', 'a', 'b'])
    expect(idsOf([], [...found].reverse(), 'now')).to.deep.equal(['d', 'c', 'a', 'b'])
  })

  it('keeps the places that it has given, and appends newcomers', () => {
    const first = orderPlugins([], [seen('m')], 'one')
    const second = orderPlugins(first, [seen('a'), seen('m'), seen('feature', { builtIn: true })], 'two')
    expect(second).to.deep.equal([
      { id: 'm', source: '/opt/m', first_seen_at: 'one' },
      { id: 'a', source: '/opt/a', first_seen_at: 'two' },
    ])
    expect(orderPlugins(second, [seen('a'), seen('m')], 'three')).to.deep.equal(second)
  })

  it('keeps the place of a plugin whose source has another name, and of one alone if there are two', () => {
    const order = orderPlugins([], [seen('m'), seen('z')], 'one')
    const moved = [seen('a'), seen('m', { source: '/opt/m-2' }), seen('z')]
    expect(orderPlugins(order, moved, 'two').map(({ id, source }) => `${id} ${source}`)).to.deep.equal([
      'm /opt/m-2',
      'z /opt/z',
      'a /opt/a',
    ])
    const both = [seen('m', { source: '/opt/a' }), seen('m'), seen('z')]
    expect(orderPlugins(order, both, 'two').map(({ source }) => source)).to.deep.equal(['/opt/m', '/opt/z', '/opt/a'])
  })

  it('forgets what is gone or was installed anew, and not what cannot be read now', () => {
    const installed = seen('m', { installedAt: 'then' })
    const order = orderPlugins([], [installed, seen('a')], 'one')
    expect(idsOf(order, [seen('a'), seen('m', { installedAt: 'later' })], 'two')).to.deep.equal(['a', 'm'])
    expect(idsOf(order, [seen('a')], 'two')).to.deep.equal(['a'])
    const unreadable = seen('/opt/m', { source: '/opt/m', status: 'invalid', installedAt: 'then' })
    expect(idsOf(order, [unreadable, seen('a')], 'two')).to.deep.equal(['m', 'a'])
  })
})
