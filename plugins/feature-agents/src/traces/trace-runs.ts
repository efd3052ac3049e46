import type { Telemetry } from '@agent-service/sdk/services/telemetry'
import type { RunDriver } from '../runs/engine/run-driver.js'
import type { ToolRunner } from '../runs/tools/tool-runner.js'

/**
 * A driver that drives each run in a span. A run that is parked and resumed has one for each time.
 */
export const traceDriver = (driver: RunDriver, telemetry: Telemetry): RunDriver => ({
  ...driver,
  async drive(session) {
    const { run, agent } = session
    const span = telemetry.startSpan({
      name: 'invoke_agent',
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.id': agent.id,
        'gen_ai.conversation.id': run.chat_id,
        'agent_service.run.id': run.id,
      },
    })
    session.span = span.context
    try {
      await driver.drive(session)
    } finally {
      const { status, failure } = session.run
      span.set({ 'agent_service.run.status': status })
      span.end(status === 'failed' || status === 'cancelled' ? { errorType: failure?.code ?? status } : {})
    }
  },
})

/** A runner that runs each tool call in a span below that of its run. */
export const traceToolRunner = (runner: ToolRunner, telemetry: Telemetry): ToolRunner => ({
  ...runner,
  async run(call, context, options) {
    const span = telemetry.startSpan({
      name: 'execute_tool',
      ...(options.span !== undefined && { parent: options.span }),
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': call.name, 'gen_ai.tool.call.id': call.call_id },
    })
    let errorType: string | undefined = 'cancelled'
    try {
      const outcome = await runner.run(call, context, options)
      errorType = outcome.part.is_error === true ? 'tool_error' : undefined
      return outcome
    } finally {
      span.end(errorType === undefined ? {} : { errorType })
    }
  },
})
