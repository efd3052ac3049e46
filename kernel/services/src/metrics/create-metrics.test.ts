import { maxSeries } from '@agent-service/kernel-core/metrics'
import { createRecordingLog } from '@agent-service/kernel-core/scheduler/testing'
import { createDisposableScope } from '@agent-service/sdk/host'
import { expect } from 'chai'
import { createMetricRegistry, ownMetrics } from './create-metrics.js'
import { metricText } from './metric-text.js'

describe('metrics of plugins', () => {
  const open = (plugin = { id: 'feature-dice', builtIn: false }) => {
    const registry = createMetricRegistry()
    const scope = createDisposableScope({ name: 'test' })
    const log = createRecordingLog()
    const metrics = ownMetrics(registry, plugin, { scope, log })
    return { registry, scope, log, metrics, lines: () => metricText(registry.sources()).trimEnd().split('\n') }
  }
  const rolls = { name: 'feature_dice_rolls_total', help: 'Rolled dice.', labels: ['sides'] }

  it('count by label, and end with the plugin', async () => {
    const { metrics, scope, lines } = open()
    const counter = metrics.counter(rolls)
    counter.add({ sides: '6' })
    counter.add({ sides: '6' }, 2)
    counter.add({ sides: 'a "b"\n\\' }, 0.5)
    expect(lines()).to.deep.equal([
      '# HELP feature_dice_rolls_total Rolled dice.',
      '# TYPE feature_dice_rolls_total counter',
      'feature_dice_rolls_total{sides="6"} 3',
      'feature_dice_rolls_total{sides="a \\"b\\"\\n\\\\"} 0.5',
    ])
    await scope.dispose()
    expect(lines()).to.deep.equal([''])
  })

  it('put values into cumulative buckets', () => {
    const { metrics, lines } = open()
    const seconds = metrics.histogram({ name: 'feature_dice_seconds', help: 'Time.', labels: ['kind'], buckets: [0.5, 1] })
    for (const value of [0, 0.5, 0.75, 9]) seconds.observe({ kind: 'a' }, value)
    expect(lines().slice(1)).to.deep.equal([
      '# TYPE feature_dice_seconds histogram',
      'feature_dice_seconds_bucket{kind="a",le="0.5"} 2',
      'feature_dice_seconds_bucket{kind="a",le="1"} 3',
      'feature_dice_seconds_bucket{kind="a",le="+Inf"} 4',
      'feature_dice_seconds_sum{kind="a"} 10.25',
      'feature_dice_seconds_count{kind="a"} 4',
    ])
  })

  it('read gauges at each request; one that throws is left out and logged', () => {
    const { metrics, log, lines } = open()
    let openGames: number | undefined = 1
    metrics.gauge({
      name: 'feature_dice_open',
      help: 'Open games.',
      labels: [],
      read() {
        if (openGames === undefined) throw new Error('broken')
        return [{ labels: {}, value: openGames }]
      },
    })
    expect(lines().at(-1)).to.equal('feature_dice_open 1')
    openGames = undefined
    expect(lines().at(-1)).to.equal('# TYPE feature_dice_open gauge')
    expect(log.lines.map(({ message }) => message)).to.deep.equal(['A metric could not be read.'])
  })

  it('have a bounded number of series; what comes later counts as other', () => {
    const { metrics, lines } = open()
    const counter = metrics.counter(rolls)
    for (let sides = 0; sides < 2 * maxSeries; sides += 1) counter.add({ sides: String(sides) })
    counter.add({ sides: '3' })
    const samples = lines().slice(2)
    expect(samples).to.have.length(maxSeries)
    expect(samples).to.include('feature_dice_rolls_total{sides="3"} 2')
    expect(samples.at(-1)).to.equal(`feature_dice_rolls_total{sides="other"} ${maxSeries + 1}`)
    counter.add({ sides: 'x'.repeat(1_000_000) })
    expect(lines().join('').length).to.be.lessThan(100_000)
  })

  it('refuse amounts that are negative or no numbers', () => {
    const counter = open().metrics.counter(rolls)
    for (const amount of [-1, Number.NaN, Number.POSITIVE_INFINITY]) expect(() => counter.add({ sides: '6' }, amount)).to.throw(RangeError)
  })

  it('refuse wrong names, labels and buckets, and names of others', () => {
    const { metrics } = open()
    const code = (declare: () => unknown): unknown => {
      try {
        return declare() && 'declared'
      } catch (error) {
        return (error as { readonly code?: string }).code
      }
    }
    for (const name of [
      'feature_dice_rolls',
      'runs_total',
      'feature_dice-x_total',
      'Feature_dice_total',
      `feature_dice_${'x'.repeat(100)}_total`,
    ])
      expect(
        code(() => metrics.counter({ ...rolls, name })),
        name,
      ).to.equal('metric_invalid')
    for (const labels of [['le'], ['a b'], ['a', 'a'], ['a', 'b', 'c', 'd', 'e', 'f', 'g']])
      expect(
        code(() => metrics.counter({ ...rolls, labels })),
        labels.join(),
      ).to.equal('metric_invalid')
    for (const buckets of [[], [2, 1], [Number.NaN]])
      expect(
        code(() => metrics.histogram({ ...rolls, name: 'feature_dice_s', buckets })),
        buckets.join(),
      ).to.equal('metric_invalid')
    expect(code(() => metrics.counter(rolls))).to.equal('declared')
    expect(code(() => metrics.counter(rolls))).to.equal('metric_conflict')
    expect(code(() => open({ id: 'feature-agents', builtIn: true }).metrics.counter({ ...rolls, name: 'runs_total' }))).to.equal('declared')
  })
})
