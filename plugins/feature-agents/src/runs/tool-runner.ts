import { type Logger, validate } from '@agent-service/sdk'
import type { ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import { type Tool, type ToolContent, type ToolContext, tools } from '@agent-service/sdk/contracts/tool'
import type { Contributions } from '@agent-service/sdk/services/contributions'

/** The most text that one result may have, in UTF-16 code units. */
export const maximumResultLength = 100_000
const defaultTimeoutMs = 120_000

/** Runs single tool calls. Never rejects but by the reason of an aborted signal: whatever goes wrong is a result that the model can read. */
export interface ToolRunner {
  /** `again`: an earlier process began this call and did not record its end. */
  run(call: ToolCallPart, context: Omit<ToolContext, 'callId' | 'signal'>, options: { readonly again: boolean; readonly signal: AbortSignal }): Promise<ToolResultPart>
  /** Whether these calls may all run at the same time. */
  mayRunTogether(names: readonly string[]): boolean
  /** A sentence for people on what a call does. */
  purpose(call: ToolCallPart): string
}

export function createToolRunner(dependencies: { readonly contributions: Contributions; readonly log: Logger }): ToolRunner {
  const { contributions, log } = dependencies
  const find = (name: string): Tool | undefined => contributions.list(tools).find((tool) => tool.key === name)?.value

  return {
    mayRunTogether: (names) => names.every((name) => mayRunInParallel(find(name))),

    purpose(call) {
      const tool = find(call.name)
      if (!tool) return call.name
      try {
        return tool.purpose?.(call.arguments) ?? tool.title
      } catch (error) {
        log.warn('A tool failed to describe its call.', { tool: call.name, error })
        return tool.title
      }
    },

    async run(call, context, { again, signal }) {
      signal.throwIfAborted()
      const lease = contributions.acquire(tools, call.name)
      if (!lease) return failed(call, `There is no tool “${call.name}”. Use one of those that are offered.`)
      const tool = lease.value
      try {
        if (call.invalid_arguments !== undefined) return failed(call, 'The arguments were not a JSON object. Send the call again with valid JSON.')
        const problems = validate(tool.parameters, call.arguments)
        if (problems.length > 0) {
          return failed(call, `The arguments are not valid. ${problems.map(({ path, message }) => `${path}: ${message}`).join('; ')}`)
        }
        const timeout = AbortSignal.timeout(tool.timeoutMs ?? defaultTimeoutMs)
        const callSignal = AbortSignal.any([signal, lease.signal, timeout])
        if (again) {
          const known = await outcomeOfEarlier(tool, call, callSignal)
          if (known) return known
        }
        const result = await withAbort(
          () => tool.execute(call.arguments, { ...context, callId: call.call_id, signal: callSignal }),
          callSignal,
        )
        return { ...answer(call, result.content), ...(result.isError ? { is_error: true } : {}) }
      } catch (error) {
        signal.throwIfAborted()
        if (lease.signal.aborted) return failed(call, 'The tool was switched off while it was running. Its outcome is not known.', 'unknown')
        if (error instanceof DOMException && error.name === 'TimeoutError') {
          return failed(call, `The tool did not answer within ${(tool.timeoutMs ?? defaultTimeoutMs) / 1000} seconds.`, tool.effect === 'read' ? undefined : 'unknown')
        }
        log.error('A tool failed.', { tool: call.name, plugin: lease.pluginId, call_id: call.call_id, error })
        return failed(call, 'The tool failed. The cause is in the log of the service.')
      } finally {
        lease.release()
      }
    },
  }
}

const mayRunInParallel = (tool: Tool | undefined): boolean => tool === undefined || (tool.parallel ?? tool.effect === 'read')

/** What is known of a call that was under way when its process went down; undefined: it may run again. */
async function outcomeOfEarlier(tool: Tool, call: ToolCallPart, signal: AbortSignal): Promise<ToolResultPart | undefined> {
  const unknown = (): ToolResultPart =>
    failed(
      call,
      'Outcome unknown: the service went down while this call was running, so it may or may not have had its effect. Do not repeat it without checking; tell the person.',
      'unknown',
    )
  switch (tool.effect ?? 'unsafe') {
    case 'read':
    case 'idempotent':
      return undefined
    case 'unsafe':
      return unknown()
    case 'checkable': {
      const outcome = await tool.probe?.(call.call_id, { signal })
      if (outcome === 'not_done') return undefined
      if (outcome === 'done') return answer(call, [{ type: 'text', text: 'The call had its effect before the service went down. Its answer is lost.' }])
      return unknown()
    }
  }
}

async function withAbort<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function answer(call: ToolCallPart, content: readonly ToolContent[]): ToolResultPart {
  let left = maximumResultLength
  const parts: ToolResultPart['content'][number][] = []
  for (const item of content) {
    if (item.type === 'image') {
      parts.push({ type: 'image', media_type: item.media_type, data: item.data })
      continue
    }
    const text = item.type === 'text' ? item.text : JSON.stringify(item.json)
    if (text.length > left) {
      parts.push({ type: 'text', text: `${text.slice(0, left)}\n[cut: ${text.length - left} of ${text.length} characters left out]` })
      left = 0
    } else {
      parts.push({ type: 'text', text })
      left -= text.length
    }
  }
  return {
    type: 'tool_result',
    call_id: call.call_id,
    ...(call.provider_call_id === undefined ? {} : { provider_call_id: call.provider_call_id }),
    name: call.name,
    content: parts,
  }
}

function failed(call: ToolCallPart, text: string, outcome?: 'unknown'): ToolResultPart {
  return { ...answer(call, [{ type: 'text', text }]), is_error: true, ...(outcome ? { outcome } : {}) }
}
