import { clockService } from '@agent-service/sdk/services/clock'
import { type Telemetry, telemetryService } from '@agent-service/sdk/services/telemetry'
import { createTestContext } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'
import { type Collector, startCollector } from './test-support/collector.js'

async function start(url: string | undefined, now: () => number = () => performance.now()) {
  const test = createTestContext<unknown>({
    config: { telemetry: url === undefined ? {} : { otlp_url: url } },
    services: [
      [
        clockService,
        {
          now: Date.now,
          monotonic: now,
          after: () => () => undefined,
          wait: () => Promise.resolve(),
        },
      ],
    ],
  })
  await plugin.setup(test.context)
  return { ...test, telemetry: test.provided(telemetryService) as Telemetry }
}

describe('traces', () => {
  let collector: Collector

  beforeEach(async () => {
    collector = await startCollector()
  })
  afterEach(() => collector.close())

  it('reach the collector at the latest when the service stops, each below its parent', async () => {
    const { telemetry, dispose } = await start(`${collector.url}/`)
    expect(telemetry.exporting).to.equal(true)
    const parent = telemetry.startSpan({ name: 'inference', attributes: { 'agent_service.model_group': 'primary' } })
    const child = telemetry.startSpan({ name: 'chat m', kind: 'client', parent: parent.context, attributes: { count: 3, half: 0.5 } })
    child.set({ words: ['a', 'b'], yes: true, count: 4 })
    child.end({ errorType: 'timeout' })
    parent.end()
    await dispose()

    expect(collector.requests).to.deep.equal(['/v1/traces application/json'])
    expect(collector.spans.map(({ name, kind, status, service }) => ({ name, kind, status, service }))).to.have.deep.members([
      { name: 'inference', kind: 1, status: 0, service: 'agent-service' },
      { name: 'chat m', kind: 3, status: 2, service: 'agent-service' },
    ])
    const [below, above] = ['chat m', 'inference'].map((name) => collector.spans.find((span) => span.name === name))
    expect(below?.attributes).to.deep.equal({ count: 4, half: 0.5, words: ['a', 'b'], yes: true, 'error.type': 'timeout' })
    expect(below).to.include({ parentSpanId: above?.spanId, traceId: above?.traceId })
    expect(above?.parentSpanId ?? '').to.equal('')
    expect(above).to.include({ traceId: parent.context.trace_id, spanId: parent.context.span_id })
  })

  it('end once: later changes of a span are not sent', async () => {
    const { telemetry, dispose } = await start(collector.url)
    const span = telemetry.startSpan({ name: 'one' })
    span.end()
    span.set({ late: true })
    span.end({ errorType: 'late' })
    await dispose()
    expect(collector.spans.map(({ attributes, status }) => ({ attributes, status }))).to.deep.equal([{ attributes: {}, status: 0 }])
  })

  it('are discarded if no collector is configured', async () => {
    const { telemetry, scope, dispose } = await start(undefined)
    expect(telemetry.exporting).to.equal(false)
    const span = telemetry.startSpan({ name: 'one' })
    span.set({ a: 1 })
    span.end()
    expect(scope.holdings).to.have.length(0)
    await dispose()
    expect(collector.requests).to.deep.equal([])
  })

  it('are dropped beyond the maximum queue size', async () => {
    const { telemetry, dispose } = await start(collector.url)
    for (let index = 0; index < 10_000; index += 1) telemetry.startSpan({ name: 'many' }).end()
    await dispose()
    expect(collector.spans.length).to.be.within(256, 2_048 + 256 * 3)
  })
})

describe('a collector that cannot be reached', () => {
  it('causes a warning without the key in its address, and does not prevent stopping', async () => {
    const gone = await startCollector()
    await gone.close()
    const { telemetry, lines, dispose } = await start(gone.url.replace('http://', 'http://user:secret-of-collector@'))
    telemetry.startSpan({ name: 'one' }).end()
    await dispose()
    expect(lines.map(({ level, message }) => ({ level, message }))).to.deep.equal([
      { level: 'warn', message: 'Traces could not be sent to the collector and are lost.' },
    ])
    expect(lines[0]?.fields).to.include({ collector: new URL(gone.url).host, spans: 1 })
    expect(JSON.stringify(lines)).to.not.contain('secret-of-collector')
  })
})
