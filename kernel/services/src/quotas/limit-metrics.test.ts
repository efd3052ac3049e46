import { createControlledClock } from '@agent-service/kernel-core/clock'
import { metricText } from '@agent-service/kernel-core/http'
import { createRecordingLog } from '@agent-service/kernel-core/scheduler/testing'
import { expect } from 'chai'
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
})
