import { type Contribution, defineContributionPoint } from '@agent-service/sdk'
import { type ContributionLift, contractPoints, knownPointsOf, liftContribution } from '@agent-service/sdk/host'
import { expect } from 'chai'
import { createPluginTree, createRecorder, createTestHost } from '../run/fixture.test.js'

/** A contract that has had three versions: names became titles, and titles lists. */
interface Lamp extends Contribution {
  readonly specVersion: 3
  readonly titles: readonly string[]
}

const lamps = defineContributionPoint<Lamp>({
  id: 'lamp',
  cardinality: 'many',
  specVersions: [1, 2, 3],
  keyOf: ({ titles }) => titles[0] ?? '',
})

const knownPoints = knownPointsOf([
  {
    point: lamps,
    lifts: new Map<number, ContributionLift>([
      [1, (old) => ({ specVersion: 2, title: (old as Contribution & { readonly name: string }).name }) as Contribution],
      [2, (old) => ({ specVersion: 3, titles: [(old as Contribution & { readonly title: string }).title] }) as Contribution],
    ]),
  },
])

describe('contributions of an older contract version', () => {
  it('are lifted step by step and seen in the newest one', async () => {
    createRecorder()
    const tree = await createPluginTree()
    try {
      await tree.write({
        manifest: { id: 'oldest', contributes: ['lamp'] },
        setup: `context.contribute(point('lamp', (lamp) => lamp.name), { specVersion: 1, name: 'oil' })`,
      })
      await tree.write({
        manifest: { id: 'older', contributes: ['lamp'] },
        setup: `context.contribute(point('lamp', (lamp) => lamp.title), { specVersion: 2, title: 'bulb' })`,
      })
      await tree.write({
        manifest: { id: 'newest', contributes: ['lamp'] },
        setup: `context.contribute(point('lamp'), { specVersion: 3, titles: ['diode', 'led'] })`,
      })
      await tree.write({
        manifest: { id: 'future', contributes: ['lamp'] },
        setup: `context.contribute(point('lamp', () => 'sun'), { specVersion: 4 })`,
      })
      const { host, contributions, reason } = await createTestHost(tree, { knownPoints })
      await host.start()
      expect(contributions.list(lamps).map(({ pluginId, value }) => [pluginId, value])).to.deep.equal([
        ['older', { specVersion: 3, titles: ['bulb'] }],
        ['newest', { specVersion: 3, titles: ['diode', 'led'] }],
        ['oldest', { specVersion: 3, titles: ['oil'] }],
      ])
      expect(reason('future'))
        .to.contain('“sun” to lamp')
        .and.contain('version 4')
        .and.contain('supports 1, 2, 3')
        .and.contain('update the service')
      await host.stop()
    } finally {
      await tree.remove()
    }
  })

  it('without a lift are refused with the direction to go', () => {
    const without = knownPointsOf([{ point: lamps }])
    expect(liftContribution({ specVersion: 1 }, lamps.id, without))
      .to.have.property('reason')
      .that.contains('install a newer version of the plugin')
  })

  it('of a lift that does not raise the version are refused', () => {
    const circle = knownPointsOf([{ point: lamps, lifts: new Map([[1, (old: Contribution) => old]]) }])
    expect(liftContribution({ specVersion: 1 }, lamps.id, circle))
      .to.have.property('reason')
      .that.contains('did not raise the version')
  })
})

describe('the contracts of this service', () => {
  it('have a lift for every version that they still accept', () => {
    for (const { point, lifts } of contractPoints.values()) {
      expect([...lifts.keys()], point.id).to.deep.equal(point.specVersions.slice(0, -1))
    }
  })
})
