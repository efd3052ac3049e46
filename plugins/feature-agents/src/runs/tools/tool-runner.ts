import type { Logger } from '@agent-service/sdk'
import { abortable, signalWithin } from '@agent-service/sdk/async'
import type { ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { EffectClass, Tool, ToolContent, ToolContext, ToolResult } from '@agent-service/sdk/contracts/tool'
import type { TraceContext } from '@agent-service/sdk/services/telemetry'
import type { KeptResults } from '../../context/kept-results.js'
import type { CallMask } from '../../points/hooks/call-mask.js'
import type { RunHooks } from '../../points/hooks/run-hooks.js'
import { createToolTexts, type ToolTextContext } from '../../points/hooks/tool-texts.js'
import type { AgentTools } from '../../points/sources/agent-tools.js'
import { argumentProblems } from '../../points/sources/foreign-tool.js'
import type { ToolOwner } from '../../points/sources/named-tools.js'
import { hasTool, isOffered } from '../../points/sources/named-tools.js'
import type { MadeFile } from '../../store/chats/made-file.js'
import type { DelegatedFiles } from '../made-files/delegated-files.js'
import type { MadeFiles } from '../made-files/made-files.js'
import type { CallOutcome } from './tool-calls.js'
import { cutResult, failedResult, type ResultRoom, readResultName } from './tool-results.js'

const defaultTimeoutMs = 120_000
/** The tool by which an agent asks another one. */
const delegateName = 'delegate'
const doneBefore = 'The call had its effect before the service crashed. Its result is lost.'

/** How a call is run. */
export interface ToolRunOptions {
  /** The calling agent with its tools. */
  readonly agent: ToolOwner
  /** Further tools that it may call. */
  readonly more?: readonly string[]
  /** Masks the output of the call. Default: no masking. */
  readonly mask?: CallMask
  /** How many calls the turn has. */
  readonly calls: number
  /**
   * The most that all results of the turn may take of the model's window, in tokens. Default: as
   * much as can be stored.
   */
  readonly roomTokens?: number
  /** An earlier process began this call and did not record its end. */
  readonly again: boolean
  /** The span of the run, if it is traced. */
  readonly span?: TraceContext | undefined
  /** Aborted by a cancel or a stop. */
  readonly signal: AbortSignal
}

/**
 * Runs single tool calls. Rejects only with the reason of an aborted signal: any other failure is a
 * result that the model can read.
 */
export interface ToolRunner {
  run(call: ToolCallPart, context: Omit<ToolContext, 'callId' | 'signal'>, options: ToolRunOptions): Promise<CallOutcome>
  /** Whether these calls may all run in parallel. */
  mayRunTogether(agent: ToolOwner, names: readonly string[]): boolean
  /** The effect class of this tool; `unsafe` for a missing tool. */
  effectOf(agent: ToolOwner, name: string): EffectClass
  /** A sentence for people that describes a call. */
  purpose(call: ToolCallPart, place: ToolTextContext & { readonly agent: ToolOwner }): Promise<string>
}

export function createToolRunner(dependencies: {
  readonly agentTools: Pick<AgentTools, 'find' | 'acquire'>
  readonly log: Logger
  /** Stores results that are too long. Default: the cut text is lost. */
  readonly results?: Pick<KeptResults, 'keep'>
  /** Default: none. */
  readonly hooks?: Pick<RunHooks, 'has' | 'mask' | 'afterToolCall'>
  /** Takes the files that results name. Default: they are left out. */
  readonly madeFiles?: MadeFiles
  /** Default: nothing that delegated runs make is named. */
  readonly delegatedFiles?: DelegatedFiles
}): ToolRunner {
  const { agentTools, log, results, hooks, madeFiles, delegatedFiles } = dependencies
  const words = createToolTexts({ log, ...(hooks && { hooks }) })
  const find = (agent: ToolOwner, name: string): Tool | undefined => agentTools.find(agent, name)?.value

  /**
   * The result of a call that was in progress when its process crashed; undefined: it may run
   * again.
   */
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

  /** The outcome is unknown if the tool cannot determine it. */
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
        log.error('A tool could not determine whether its call had taken effect.', {
          ...{ tool: call.name, call_id: call.call_id },
          error: await safeError(mask, error),
        })
      return 'unknown'
    }
  }

  /**
   * The result as the model is shown it. A cut result is stored whole first; if that fails, the
   * line about the missing text does not offer to read it.
   */
  const shown = async (
    call: ToolCallPart,
    content: readonly ToolContent[],
    { chatId, userId }: Pick<ToolContext, 'chatId' | 'userId'>,
    room: ResultRoom,
  ): Promise<ToolResultPart> => {
    // The tool that reads stored results takes a shorter length instead.
    const readable = results !== undefined && call.name !== readResultName
    const { part, whole } = cutResult(call, content, room, readable)
    if (whole === undefined || !readable) return part
    try {
      await results.keep({ callId: call.call_id, chatId, userId, tool: call.name }, whole)
      return part
    } catch (error) {
      log.error('A long result could not be stored.', { tool: call.name, call_id: call.call_id, error })
      return cutResult(call, content, room, false).part
    }
  }

  /** What a call has made, by itself and through another agent. */
  const filesOf = async (
    call: ToolCallPart,
    named: ToolResult['files'],
    { runId, userHandle, workspace }: Pick<ToolContext, 'runId' | 'userHandle' | 'workspace'>,
    options: { readonly mask?: CallMask; readonly signal: AbortSignal },
  ): Promise<readonly MadeFile[]> => {
    const own = (await madeFiles?.take({ callId: call.call_id, userHandle, workspace }, named, options)) ?? []
    if (call.name !== delegateName || !delegatedFiles) return own
    try {
      return [...own, ...(await delegatedFiles.of({ runId, callId: call.call_id }))]
    } catch (error) {
      options.signal.throwIfAborted()
      // The call has had its effect; its result is worth more than the cards.
      log.error('The files that another agent made could not be read.', { call_id: call.call_id, error })
      return own
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
      const isAllowed = again || more.includes(call.name) || hasTool(agent, call.name)
      const lease = isAllowed ? agentTools.acquire(agent, call.name) : undefined
      if (!lease || !isOffered(lease.value, agent)) {
        lease?.release()
        return withoutFiles(
          again ? unknownOutcome(call) : failedResult(call, `The tool “${call.name}” does not exist. Use one of the offered tools.`),
        )
      }
      const tool = lease.value
      const limitMs = tool.timeoutMs ?? defaultTimeoutMs
      const callSignal = signalWithin(limitMs, signal, lease.signal)
      try {
        if (call.invalid_arguments !== undefined)
          return failed(call, 'The arguments are not a usable JSON object. Send the call again with valid JSON.')
        const problems = argumentProblems(tool, call.arguments)
        if (problems.length > 0) {
          return failed(call, `The arguments are not valid. ${problems.map(({ path, message }) => `${path}: ${message}`).join('; ')}`)
        }
        if (again) {
          const known = await outcomeOfEarlier(tool, call, mask, callSignal)
          signal.throwIfAborted()
          if (known) return withoutFiles(known)
        }
        const result = await abortable(
          async () => tool.execute(call.arguments, { ...context, callId: call.call_id, signal: callSignal }),
          callSignal,
        )
        const content = mask ? await mask.result(result.content, signal) : result.content
        if ('withheld' in content) return failed(call, `The call was run, but its result is ${content.withheld}.`)
        if (hooks?.has('afterToolCall')) {
          const { userId, agentId, agentHandle, chatId, runId } = context
          const place = { userId, agentId, agentHandle, chatId, runId, callId: call.call_id, tool: call.name, arguments: call.arguments }
          const refusal = await hooks.afterToolCall({ ...place, content, isError: result.isError ?? false }, signal)
          if (refusal) return failed(call, `The call was run, but its result is withheld. ${refusal.reason}`)
        }
        const part = await shown(call, content, context, { calls, tokens: roomTokens })
        const files = await filesOf(call, result.files, context, { ...(mask && { mask }), signal })
        return { part: { ...part, ...(result.isError ? { is_error: true } : {}) }, files }
      } catch (error) {
        signal.throwIfAborted()
        const outcome = tool.effect === 'read' ? undefined : 'unknown'
        if (lease.signal.aborted) return failed(call, 'The tool was switched off while it was running.', outcome)
        if (callSignal.aborted) return failed(call, `The tool did not respond within ${limitMs / 1000} seconds.`, outcome)
        const fields = { tool: call.name, plugin: lease.pluginId, call_id: call.call_id }
        log.error('A tool failed.', { ...fields, error: await safeError(mask, error) })
        return failed(call, 'The tool failed. The cause is in the service log.')
      } finally {
        lease.release()
      }
    },
  }
}

const withoutFiles = (part: ToolResultPart): CallOutcome => ({ part, files: [] })

const failed = (...given: Parameters<typeof failedResult>): CallOutcome => withoutFiles(failedResult(...given))

/** The error of a tool, masked for the log. */
const safeError = async (mask: CallMask | undefined, error: unknown): Promise<unknown> => (mask ? mask.error(error) : error)

const mayRunInParallel = (tool: Tool | undefined): boolean => tool === undefined || (tool.parallel ?? tool.effect === 'read')

function unknownOutcome(call: ToolCallPart): ToolResultPart {
  return failedResult(
    call,
    'Outcome unknown: the service crashed while this call was running, so it may or may not have had its effect. Do not repeat it without checking; tell the person.',
    'unknown',
  )
}
