import { expect } from 'chai'
import { type ArrivedSpan, type Collector, startCollector } from './support/collector.js'
import { asking, good } from './support/faults.js'
import { type MatrixCase, type MatrixKernel, startMatrixKernel } from './support/matrix-kernel.js'
import { calledTool } from './support/wires/family-wire.js'

const moving: MatrixCase = {
  name: 'moving',
  family: 'completions',
  retries: 1,
  replays: (wire) => [{ ...good(wire), status: 503 }],
  fallback: true,
}
const working: MatrixCase = { ...moving, name: 'working', replays: (wire) => [asking(wire), good(wire)] }
const failing: MatrixCase = { ...moving, name: 'failing', retries: 0, fallback: false }

describe('traces of inference', function () {
  this.timeout(30_000)
  let collector: Collector
  let matrix: MatrixKernel
  let port: number

  before(async () => {
    collector = await startCollector()
    matrix = await startMatrixKernel([moving, failing, working], { SERVICE_TELEMETRY_OTLP_URL: collector.url })
    port = Number(new URL(matrix.upstream.baseUrl).port)
    await matrix.ask(moving.name)
    await matrix.ask(failing.name)
    await matrix.ask(working.name)
    // Stopping the service sends the remaining spans.
    await matrix.close()
  })
  after(() => collector?.close())

  const traceOf = (group: string): { readonly inference: ArrivedSpan; readonly calls: readonly ArrivedSpan[] } => {
    const [inference, ...more] = collector
      .spans()
      .filter(({ name, attributes }) => name === 'inference' && attributes['agent_service.model_group'] === group)
    if (!inference || more.length > 0) throw new Error(`${more.length + 1} spans of “${group}”, or none.`)
    return { inference, calls: collector.spans().filter(({ parentSpanId }) => parentSpanId === inference.spanId) }
  }

  it('have one span per inference with a child span per call, by the GenAI conventions', () => {
    const { inference, calls } = traceOf('moving')
    expect(inference).to.include({ kind: 1 })
    expect(inference.attributes).to.deep.equal({ 'agent_service.model_group': 'moving', 'agent_service.calls': 3 })
    expect(calls.every(({ traceId }) => traceId === inference.traceId)).to.equal(true)
    const common = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'house',
      'gen_ai.request.model': 'model-1',
      'gen_ai.request.stream': true,
      'server.address': '127.0.0.1',
      'server.port': port,
      'agent_service.model_group': 'moving',
    }
    expect(calls.map(({ name, kind, status }) => ({ name, kind, status: status.code ?? 0 }))).to.deep.equal([
      { name: 'chat model-1', kind: 3, status: 2 },
      { name: 'chat model-1', kind: 3, status: 2 },
      { name: 'chat model-1', kind: 3, status: 0 },
    ])
    for (const [retries, call] of calls.slice(0, 2).entries()) {
      expect(call.attributes).to.deep.include({
        ...common,
        ...{ 'agent_service.connection': 'moving', 'agent_service.fallback': 0, 'agent_service.retries': retries },
        'error.type': 'overloaded',
      })
      expect(call.attributes).to.not.have.any.keys('gen_ai.usage.input_tokens', 'gen_ai.response.finish_reasons')
    }
    expect(calls[2]?.attributes).to.deep.include({
      ...common,
      ...{ 'agent_service.connection': 'moving-spare', 'agent_service.protocol': 'anthropic-messages', 'agent_service.fallback': 1 },
      ...{ 'gen_ai.response.model': 'model-1', 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 7 },
      'gen_ai.response.finish_reasons': { values: [{ stringValue: 'stop' }] },
    })
  })

  it('contain the kind of failure of an inference', () => {
    const { inference, calls } = traceOf('failing')
    expect(inference.status.code).to.equal(2)
    expect(inference.attributes).to.include({ 'error.type': 'overloaded', 'agent_service.calls': 1 })
    expect(calls).to.have.length(1)
  })

  it('have a span for the run around its inferences and its tools', () => {
    const [tool, ...more] = collector.spans().filter(({ name }) => name === 'execute_tool')
    expect(more).to.deep.equal([])
    const run = collector.spans().find(({ spanId }) => spanId === tool?.parentSpanId)
    expect(tool?.attributes).to.include({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': calledTool.name })
    expect(run?.attributes).to.include({ 'gen_ai.operation.name': 'invoke_agent', 'agent_service.run.status': 'completed' })
    const below = collector.spans().filter(({ parentSpanId, traceId }) => parentSpanId === run?.spanId && traceId === run?.traceId)
    expect(below.map(({ name }) => name)).to.have.members(['inference', 'execute_tool', 'inference'])
    const failed = collector.spans().filter(({ name, status }) => name === 'invoke_agent' && status.code === 2)
    expect(failed.map(({ attributes }) => attributes['error.type'])).to.deep.equal(['provider_error'])
  })

  it('contain no message content and no key', () => {
    expect(collector.bodies.join('\n')).to.not.match(/Hello|Be brief|is done|key-of-nobody/)
  })
})
