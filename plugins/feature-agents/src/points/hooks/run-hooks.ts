import type { Logger } from '@agent-service/sdk'
import {
  type AgentRunHook,
  agentRunHooks,
  type HookedModelAnswer,
  type HookedModelCall,
  type HookedRunEnd,
  type HookedToolCall,
  type HookedToolResult,
  type MaskedAnswer,
  type MaskedTexts,
} from '@agent-service/sdk/contracts/agent-run-hook'
import type { Contributed, Contributions } from '@agent-service/sdk/services/contributions'
import { cutText, wellFormed } from '../../common/well-formed.js'
import { bounded, callContribution } from '../call-contribution.js'

/** A refusal by a hook, or because a hook failed. */
export interface HookRefusal {
  /** A sentence for the model and the person. */
  readonly reason: string
}

/** Texts that could not be masked and are therefore withheld. */
export interface WithheldTexts {
  readonly withheld: string
}

type Veto<Subject> = (subject: Subject, signal: AbortSignal) => Promise<HookRefusal | undefined>

/** The hooks of all plugins, called one after the other. Rejects only with the signal's reason. */
export interface RunHooks {
  /** Whether any hook has this member, so that callers build no input without need. */
  has(member: HookMember): boolean
  readonly beforeModelCall: Veto<HookedModelCall>
  readonly afterModelCall: Veto<HookedModelAnswer>
  readonly beforeToolCall: Veto<HookedToolCall>
  readonly afterToolCall: Veto<HookedToolResult>
  mask(texts: MaskedTexts, signal?: AbortSignal): Promise<readonly string[] | WithheldTexts>
  /** Whether a hook masks the output of tools in whole lines alone. */
  masksLines(): boolean
  /**
   * Masks what the model writes. `declined`: the hooks that have said that nothing is to be masked
   * in pieces of this answer; those that say so now are added.
   */
  maskAnswer(answer: MaskedAnswer, signal: AbortSignal, declined: Set<string>): Promise<readonly string[] | WithheldTexts>
  /** The keys of the hooks that mask what the model writes. */
  answerMasks(): readonly string[]
  /** Returns at once. */
  runEnded(end: HookedRunEnd): void
  /** Aborts every `runEnded` in progress. */
  close(): void
}

/** The members of a hook. */
export type HookMember = 'beforeModelCall' | 'afterModelCall' | 'beforeToolCall' | 'afterToolCall' | 'mask' | 'maskAnswer' | 'runEnded'

const defaultTimeoutMs = 5_000
const maxTimeoutMs = 30_000
/** The longest reason that is shown, in UTF-16 code units. */
const maxReasonLength = 1_000
/** How many `runEnded` calls may be in progress; further ones are dropped. */
const maxEnding = 200

export function createRunHooks(dependencies: {
  readonly contributions: Pick<Contributions, 'list' | 'acquire'>
  readonly log: Logger
}): RunHooks {
  const { contributions, log } = dependencies
  const closing = new AbortController()
  let ending = 0

  const hooks = (): readonly Contributed<AgentRunHook>[] => inOrder(contributions.list(agentRunHooks))
  const callOf = ({ key, value }: Contributed<AgentRunHook>, signal: AbortSignal | undefined) => ({
    point: agentRunHooks,
    key,
    timeoutMs: bounded(value.timeoutMs, defaultTimeoutMs, 1, maxTimeoutMs),
    signal,
  })

  const veto =
    <Subject extends { readonly runId: string }>(member: VetoMember, closed: boolean): Veto<Subject> =>
    async (subject, signal) => {
      for (const hook of hooks()) {
        if (hook.value[member] === undefined) continue
        try {
          const asked = await callContribution(contributions, callOf(hook, signal), (value, within) =>
            (value[member] as VetoFunction).call(value, structuredClone(subject), { signal: within }),
          )
          const reason = reasonOf(asked?.answer)
          if (reason !== undefined) return { reason: `“${hook.value.title}” vetoed this: ${reason}` }
        } catch (error) {
          signal.throwIfAborted()
          log.warn('A run hook failed.', { hook: hook.key, plugin: hook.pluginId, member, run_id: subject.runId, error })
          if (closed) return { reason: `“${hook.value.title}” must approve this first, but failed.` }
        }
      }
      return undefined
    }

  const end = async (hook: Contributed<AgentRunHook>, subject: HookedRunEnd): Promise<void> => {
    try {
      await callContribution(contributions, callOf(hook, closing.signal), async (value, signal) =>
        value.runEnded?.(structuredClone(subject), { signal }),
      )
    } catch (error) {
      if (!closing.signal.aborted) log.warn('A run hook failed.', { hook: hook.key, member: 'runEnded', run_id: subject.runId, error })
    }
  }

  return {
    has: (member) => contributions.list(agentRunHooks).some(({ value }) => value[member] !== undefined),
    beforeModelCall: veto('beforeModelCall', true),
    afterModelCall: veto('afterModelCall', false),
    beforeToolCall: veto('beforeToolCall', true),
    afterToolCall: veto('afterToolCall', false),

    masksLines: () =>
      contributions.list(agentRunHooks).some(({ value }) => value.mask !== undefined && (value.outputPieces ?? 'lines') === 'lines'),

    async mask(subject, signal) {
      let { texts } = subject
      for (const hook of hooks()) {
        if (hook.value.mask === undefined) continue
        try {
          const given = structuredClone({ ...subject, texts })
          const asked = await callContribution(contributions, callOf(hook, signal), async (value, within) =>
            value.mask?.(given, { signal: within }),
          )
          if (!asked) continue
          texts = maskedTexts(asked.answer, texts.length)
        } catch (error) {
          signal?.throwIfAborted()
          log.warn('A run hook could not mask the output of a tool; the output is withheld.', {
            ...{ hook: hook.key, plugin: hook.pluginId, tool: subject.tool, kind: subject.kind, call_id: subject.callId },
            error,
          })
          return { withheld: `withheld: “${hook.value.title}” could not mask it` }
        }
      }
      return texts
    },

    answerMasks: () => contributions.list(agentRunHooks).flatMap(({ key, value }) => (value.maskAnswer === undefined ? [] : [key])),
    async maskAnswer(subject, signal, declined) {
      let { texts } = subject
      for (const hook of hooks()) {
        if (hook.value.maskAnswer === undefined || (subject.kind === 'piece' && declined.has(hook.key))) continue
        try {
          const given = structuredClone({ ...subject, texts })
          const asked = await callContribution(contributions, callOf(hook, signal), async (value, within) =>
            value.maskAnswer?.(given, { signal: within }),
          )
          if (!asked) continue
          if (asked.answer === undefined && subject.kind === 'piece') declined.add(hook.key)
          else texts = maskedTexts(asked.answer, texts.length)
        } catch (error) {
          signal.throwIfAborted()
          log.warn('A run hook could not mask the answer of a model; the text is withheld.', {
            ...{ hook: hook.key, plugin: hook.pluginId, kind: subject.kind, run_id: subject.runId },
            error,
          })
          return { withheld: `withheld: “${hook.value.title}” could not mask it` }
        }
      }
      return texts
    },

    runEnded(subject) {
      for (const hook of hooks()) {
        if (hook.value.runEnded === undefined) continue
        if (ending >= maxEnding) {
          log.warn('Too many run hooks are in progress; one does not learn that a run has ended.', {
            hook: hook.key,
            run_id: subject.runId,
          })
          continue
        }
        ending += 1
        void end(hook, subject).finally(() => {
          ending -= 1
        })
      }
    },
    close: () => closing.abort(new DOMException('The service is stopping.', 'AbortError')),
  }
}

type VetoMember = Exclude<HookMember, 'mask' | 'maskAnswer' | 'runEnded'>
type VetoFunction = (subject: object, options: { readonly signal: AbortSignal }) => Promise<unknown>

const inOrder = (hooks: readonly Contributed<AgentRunHook>[]): readonly Contributed<AgentRunHook>[] =>
  hooks.length < 2 ? hooks : [...hooks].sort((one, other) => orderOf(one) - orderOf(other) || (one.key < other.key ? -1 : 1))

const orderOf = ({ value }: Contributed<AgentRunHook>): number => bounded(value.order, 100, 0, 10_000)

/** Undefined: no veto. @throws `TypeError` if the answer is neither undefined nor a veto. */
function reasonOf(answer: unknown): string | undefined {
  if (answer === undefined) return undefined
  const reason = (answer as { readonly veto?: unknown } | null)?.veto
  if (typeof reason !== 'string' || reason.trim() === '') throw new TypeError('The result is neither undefined nor { veto } with a reason.')
  return wellFormed(cutText(reason.replaceAll(/\s+/g, ' ').trim(), maxReasonLength))
}

function maskedTexts(answer: unknown, count: number): readonly string[] {
  if (!Array.isArray(answer) || answer.length !== count || !answer.every((text) => typeof text === 'string'))
    throw new TypeError(`mask did not return ${count} texts.`)
  return answer as readonly string[]
}
