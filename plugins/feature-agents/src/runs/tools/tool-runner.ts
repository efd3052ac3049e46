import type { Logger } from '@agent-service/sdk'
import { abortable, signalWithin } from '@agent-service/sdk/async'
import type { ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { EffectClass, Tool, ToolContent, ToolContext } from '@agent-service/sdk/contracts/tool'
import type { TraceContext } from '@agent-service/sdk/services/telemetry'
import type { KeptResults } from '../../context/kept-results.js'
import type { CallMask } from '../../points/hooks/call-mask.js'
import type { RunHooks } from '../../points/hooks/run-hooks.js'
import { createToolTexts, type ToolTextContext } from '../../points/hooks/tool-texts.js'
import type { AgentTools, ToolOwner } from '../../points/sources/agent-tools.js'
import { argumentProblems } from '../../points/sources/foreign-tool.js'
import { agentNames, isOffered } from '../../points/sources/named-tools.js'
import { cutResult, failedResult, type ResultRoom, readResultName } from './tool-results.js'

const defaultTimeoutMs = 120_000
const doneBefore = 'The call had its effect before the service went down. Its answer is lost.'

/** What decides how a call is run. */
export interface ToolRunOptions {
  /** The agent that calls, with what it may call. */
  readonly agent: ToolOwner
  /** What it may call beside that. */
  readonly more?: readonly string[]
  /** Masks what the call gives. Default: nothing is masked. */
  readonly mask?: CallMask
  /** How many calls its turn has. */
  readonly calls: number
  /** What all results of the turn may take of the model's window, in tokens. Default: as much as can be stored. */
  readonly roomTokens?: number
  /** An earlier process began this call and did not record its end. */
  readonly again: boolean
  /** The span of the run, where there is one. */
  readonly span?: TraceContext | undefined
  /** Aborted by a cancel or a stop. */
  readonly signal: AbortSignal
}

/** Runs single tool calls. Never rejects but by the reason of an aborted signal: whatever goes wrong is a result that the model can read. */
export interface ToolRunner {
  run(call: ToolCallPart, context: Omit<ToolContext, 'callId' | 'signal'>, options: ToolRunOptions): Promise<ToolResultPart>
  /** Whether these calls may all run at the same time. */
  mayRunTogether(agent: ToolOwner, names: readonly string[]): boolean
  /** What repeating a call of this tool does; `unsafe` for one that is not there. */
  effectOf(agent: ToolOwner, name: string): EffectClass
  /** A sentence for people on what a call does. */
  purpose(call: ToolCallPart, place: ToolTextContext & { readonly agent: ToolOwner }): Promise<string>
}

export function createToolRunner(dependencies: {
  readonly agentTools: Pick<AgentTools, 'find' | 'acquire'>
  readonly log: Logger
  /** Where results that are too long are kept whole. Default: what was cut is gone. */
  readonly results?: Pick<KeptResults, 'keep'>
  /** Default: none. */
  readonly hooks?: Pick<RunHooks, 'has' | 'mask' | 'afterToolCall'>
}): ToolRunner {
  const { agentTools, log, results, hooks } = dependencies
  const words = createToolTexts({ log, ...(hooks && { hooks }) })
  const find = (agent: ToolOwner, name: string): Tool | undefined => agentTools.find(agent, name)?.value

  /** What became of a call that was under way when its process went down; undefined: it may run again. */
  const outcomeOfEarlier = async (
    tool: Tool,
    call: ToolCallPart,
    mask: CallMask | undefined,
    signal: AbortSignal,
  ): Promise<ToolResultPart | undefined> => {
    switch (tool.effect ?? 'unsafe') {
      case 'read':
      case 'idempotent':
        return undefined
      case 'unsafe':
        return unknownOutcome(call)
      case 'checkable': {
        const outcome = await probe(tool, call, mask, signal)
        if (outcome === 'not_done') return undefined
        if (outcome === 'done') return cutResult(call, [{ type: 'text', text: doneBefore }], { calls: 1 }, false).part
        return unknownOutcome(call)
      }
    }
  }

  /** A tool that cannot say counts as unknown. */
  const probe = async (
    tool: Tool,
    call: ToolCallPart,
    mask: CallMask | undefined,
    signal: AbortSignal,
  ): Promise<'done' | 'not_done' | 'unknown'> => {
    try {
      return (await abortable(async () => tool.probe?.(call.call_id, { signal }), signal)) ?? 'unknown'
    } catch (error) {
      if (!signal.aborted)
        log.error('A tool could not say whether its call had been done.', {
          ...{ tool: call.name, call_id: call.call_id },
          error: await safeError(mask, error),
        })
      return 'unknown'
    }
  }

  /** What the model is shown of a result. One that is cut is kept whole first; where that fails, the line that says what is missing says no more. */
  const shown = async (
    call: ToolCallPart,
    content: readonly ToolContent[],
    { chatId, userId }: Pick<ToolContext, 'chatId' | 'userId'>,
    room: ResultRoom,
  ): Promise<ToolResultPart> => {
    // The reader of kept results is asked for less instead.
    const readable = results !== undefined && call.name !== readResultName
    const { part, whole } = cutResult(call, content, room, readable)
    if (whole === undefined || !readable) return part
    try {
      await results.keep({ callId: call.call_id, chatId, userId, tool: call.name }, whole)
      return part
    } catch (error) {
      log.error('A long result could not be kept.', { tool: call.name, call_id: call.call_id, error })
      return cutResult(call, content, room, false).part
    }
  }

  return {
    mayRunTogether: (agent, names) => names.every((name) => mayRunInParallel(find(agent, name))),
    effectOf: (agent, name) => find(agent, name)?.effect ?? 'unsafe',

    async purpose(call, place) {
      const tool = find(place.agent, call.name)
      return tool ? words.purpose(tool, call, place) : call.name
    },

    async run(call, context, { agent, more = [], mask, calls, roomTokens, again, signal }) {
      signal.throwIfAborted()
      const isAllowed = again || more.includes(call.name) || agentNames(agent.tools, call.name)
      const lease = isAllowed ? agentTools.acquire(agent, call.name) : undefined
      if (!lease || !isOffered(lease.value, agent)) {
        lease?.release()
        return again ? unknownOutcome(call) : failedResult(call, `There is no tool “${call.name}”. Use one of those that are offered.`)
      }
      const tool = lease.value
      const limitMs = tool.timeoutMs ?? defaultTimeoutMs
      const callSignal = signalWithin(limitMs, signal, lease.signal)
      try {
        if (call.invalid_arguments !== undefined)
          return failedResult(call, 'The arguments were not a JSON object that can be used. Send the call again with valid JSON.')
        const problems = argumentProblems(tool, call.arguments)
        if (problems.length > 0) {
          return failedResult(call, `The arguments are not valid. ${problems.map(({ path, message }) => `${path}: ${message}`).join('; ')}`)
        }
        if (again) {
          const known = await outcomeOfEarlier(tool, call, mask, callSignal)
          signal.throwIfAborted()
          if (known) return known
        }
        const result = await abortable(
          async () => tool.execute(call.arguments, { ...context, callId: call.call_id, signal: callSignal }),
          callSignal,
        )
        const content = mask ? await mask.result(result.content, signal) : result.content
        if ('withheld' in content) return failedResult(call, `The call has run, and its result is ${content.withheld}.`)
        if (hooks?.has('afterToolCall')) {
          const { userId, agentId, agentHandle, chatId, runId } = context
          const place = { userId, agentId, agentHandle, chatId, runId, callId: call.call_id, tool: call.name, arguments: call.arguments }
          const refusal = await hooks.afterToolCall({ ...place, content, isError: result.isError ?? false }, signal)
          if (refusal) return failedResult(call, `The call has run, and its result is withheld. ${refusal.reason}`)
        }
        const part = await shown(call, content, context, { calls, tokens: roomTokens })
        return { ...part, ...(result.isError ? { is_error: true } : {}) }
      } catch (error) {
        signal.throwIfAborted()
        const outcome = tool.effect === 'read' ? undefined : 'unknown'
        if (lease.signal.aborted) return failedResult(call, 'The tool was switched off while it was running.', outcome)
        if (callSignal.aborted) return failedResult(call, `The tool did not answer within ${limitMs / 1000} seconds.`, outcome)
        const fields = { tool: call.name, plugin: lease.pluginId, call_id: call.call_id }
        log.error('A tool failed.', { ...fields, error: await safeError(mask, error) })
        return failedResult(call, 'The tool failed. The cause is in the log of the service.')
      } finally {
        lease.release()
      }
    },
  }
}

/** What a tool threw, as the log may have it. */
const safeError = async (mask: CallMask | undefined, error: unknown): Promise<unknown> => (mask ? mask.error(error) : error)

const mayRunInParallel = (tool: Tool | undefined): boolean => tool === undefined || (tool.parallel ?? tool.effect === 'read')

function unknownOutcome(call: ToolCallPart): ToolResultPart {
  return failedResult(
    call,
    'Outcome unknown: the service went down while this call was running, so it may or may not have had its effect. Do not repeat it without checking; tell the person.',
    'unknown',
  )
}
