import type { LogFields, Logger } from '@agent-service/sdk'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base'
import { expect } from 'chai'
import { createLoggingExporter } from './logging-exporter.js'

const nothing = (): void => undefined

describe('an exporter that logs its failures', () => {
  it('warns once a minute, with the number of lost spans', () => {
    const warnings: LogFields[] = []
    const log: Logger = {
      debug: nothing,
      info: nothing,
      error: nothing,
      child: () => log,
      warn: (_, fields = {}) => void warnings.push(fields),
    }
    let now = 0
    let works = false
    const failing: SpanExporter = {
      export: (_, done) =>
        done(works ? { code: 0 } : { code: 1, error: Object.assign(new Error('connect http://key@collector'), { code: 'ECONNREFUSED' }) }),
      shutdown: () => Promise.resolve(),
    }
    const exporter = createLoggingExporter(failing, { log, now: () => now, collector: 'collector:4318' })
    const codes: number[] = []
    const send = (count: number): void =>
      exporter.export(Array.from({ length: count }) as ReadableSpan[], ({ code }) => void codes.push(code))

    send(1)
    now = 30_000
    send(2)
    works = true
    send(1)
    works = false
    now = 59_999
    send(3)
    expect(warnings).to.deep.equal([{ collector: 'collector:4318', spans: 1, reason: 'ECONNREFUSED' }])
    now = 60_000
    send(4)
    expect(warnings[1]).to.deep.equal({ collector: 'collector:4318', spans: 9, reason: 'ECONNREFUSED' })
    expect(codes).to.deep.equal([1, 1, 0, 1, 1])
  })
})
