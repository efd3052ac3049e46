import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { createRecordingLog } from '@agent-service/kernel-core/scheduler/testing'
import { expect } from 'chai'
import { metricText } from '../metrics/metric-text.js'
import { createQuotas } from './create-quotas.js'
import { limitMetrics } from './limit-metrics.js'

describe('the metrics of limits', () => {
  it('show the use, the holders and the refusals of each limit', () => {
    const quotas = createQuotas({ clock: createControlledClock(), log: createRecordingLog() })
    const { limit, end } = quotas.declare({ name: 'things', counts: 'things', maxPerHolder: 2, maxTotal: 3 })
    limit.take('user:1', 2)
    limit.take('user:2')
    expect(() => limit.take('user:1')).to.throw()
    const lines = metricText(limitMetrics(quotas)).split('\n')
    for (const [name, value] of Object.entries({ used: 3, max_total: 3, holders: 2, waiting: 0, refused_total: 1, displaced_total: 0 }))
      expect(lines).to.include(`limit_${name}{limit="things"} ${value}`)
    void end()
    expect(metricText(limitMetrics(quotas))).not.to.include('things')
  })

  it('show how long requests have waited', async () => {
    const clock = createControlledClock()
    const quotas = createQuotas({ clock, log: createRecordingLog() })
    const waiting = { maxPerHolder: 2, maxTotal: 2, maxMs: 60_000 }
    const limit = quotas.limit({ name: 'things', counts: 'things', maxPerHolder: 1, waiting })
    const { signal } = new AbortController()
    const hold = await limit.acquire('user:1', 1, { signal })
    const next = limit.acquire('user:1', 1, { signal })
    await clock.advance(5_000)
    hold.release()
    await next
    const text = metricText(limitMetrics(quotas))
    expect(text).to.include('limit_wait_seconds_bucket{limit="things",le="1"} 0\n')
    expect(text).to.include('limit_wait_seconds_bucket{limit="things",le="10"} 1\n')
    expect(text).to.include('limit_wait_seconds_sum{limit="things"} 5\n')
  })
})
