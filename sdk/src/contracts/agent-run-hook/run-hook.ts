import type { Contribution } from '../../core/contribution-point.js'
import type { JsonObject } from '../../core/json.js'
import type { ImagePart, ReasoningPart, TextPart, ToolCallPart } from '../provider-adapter/content.js'
import type { ModelUsage, StopReason } from '../provider-adapter/events.js'
import type { ModelMessage, ModelTool } from '../provider-adapter/request.js'
import type { ToolContent } from '../tool/tool.js'

/** The owner of the run. */
export interface RunHookPlace {
  /** The user whose agent it is. */
  readonly userId: string
  /** The agent that works. */
  readonly agentId: string
  /** Its handle. */
  readonly agentHandle: string
  /** The chat that the run answers in. */
  readonly chatId: string
  /** The run. */
  readonly runId: string
}

/** A model call that is about to be made. */
export interface HookedModelCall extends RunHookPlace {
  /**
   * The number of the model call in its run, from 0. A repeated call after a crash has the same
   * number.
   */
  readonly turn: number
  /** The model group of the call. */
  readonly modelGroup: string
  /** The messages, the system message first. */
  readonly messages: readonly ModelMessage[]
  /** The offered tools. */
  readonly tools: readonly ModelTool[]
}

/** A model's answer, before it is stored. */
export interface HookedModelAnswer extends RunHookPlace {
  /** As in {@link HookedModelCall.turn}. */
  readonly turn: number
  /** The whole answer, including tool calls. */
  readonly content: readonly (TextPart | ReasoningPart | ToolCallPart | ImagePart)[]
  /** Why the model stopped. */
  readonly stopReason: StopReason
  /** The token usage of the call. */
  readonly usage: ModelUsage
  /** The connection of the answer. */
  readonly provider: string
  /** The model of the answer. */
  readonly model: string
}

/** A tool call that is about to run. */
export interface HookedToolCall extends RunHookPlace {
  /** The same for every attempt of one call, and unique. */
  readonly callId: string
  /** The name of the tool. */
  readonly tool: string
  /** The arguments from the model. */
  readonly arguments: JsonObject
}

/** A tool's masked result, before it is stored or cut. */
export interface HookedToolResult extends HookedToolCall {
  /** The result, in order. */
  readonly content: readonly ToolContent[]
  /** The call failed in a way that the model can react to. */
  readonly isError: boolean
}

/** How a run has ended. */
export interface HookedRunEnd extends RunHookPlace {
  /** Its last state. */
  readonly status: 'completed' | 'failed' | 'cancelled'
  /** Why it failed, as a code; null if it has not. */
  readonly code: string | null
}

/** A refusal. */
export interface RunHookVeto {
  /** The reason, one sentence without secrets for the model and the person. */
  readonly veto: string
}

/** The kind of a tool's texts. */
export type MaskedTextsKind = 'result' | 'progress' | 'output' | 'error' | 'purpose' | 'question'

/** Texts of a tool. */
export interface MaskedTexts extends Omit<RunHookPlace, 'agentHandle'> {
  /**
   * The call, the same for all its progress and its result, so that a hook can keep state over the
   * pieces of a text.
   */
  readonly callId: string
  /** The name of the tool. */
  readonly tool: string
  /**
   * `result`: all texts of a result at once, in order, those deep inside JSON included, its member
   * names too. `progress`: what a running call says, each time a text of its own. `output`: the
   * output that it shows, one piece of it, as {@link AgentRunHook.outputPieces} says; a hook may hold
   * back the end of a piece and return it with the next one. What it holds back at the end of the call
   * is not shown. `error`: the messages and stacks of what a
   * tool threw. `purpose`, `question`: what a tool says about a call or asks the person.
   */
  readonly kind: MaskedTextsKind
  /** At least one. */
  readonly texts: readonly string[]
}

/** What a model has written: a piece of one part of its answer, or all of it. */
export interface MaskedAnswer extends Omit<RunHookPlace, 'agentHandle'> {
  /** As in {@link HookedModelCall.turn}. */
  readonly turn: number
  /** Counts the attempts of the call, from 0: what an earlier one wrote is retracted. */
  readonly attempt: number
  /**
   * `piece`: what follows of one part, one text. `whole`: the texts and the reasoning of the finished
   * answer, in order.
   */
  readonly kind: 'piece' | 'whole'
  /** Which part a piece is of: its index in the answer. 0 for a whole answer. */
  readonly part: number
  /** At least one. */
  readonly texts: readonly string[]
}

/**
 * Looks at what happens in runs: may veto it with a reason, and may mask what tools and models say.
 * It never changes what a person wrote, an argument or what is stored.
 *
 * Everything it gets is a copy, as plain data. Hooks are asked one after the other, by
 * {@link AgentRunHook.order}, then id; the first veto counts. A member that throws, returns an
 * invalid value or takes too long fails closed in `before…` and `mask…`: the call is refused, the
 * text is withheld. In `after…` and `runEnded` it is a warning in the log. After a crash, the
 * members may be called again for the same call.
 */
export interface AgentRunHook extends Contribution {
  /** The generation of this contract that the hook is written for. */
  readonly specVersion: 1
  /** `^[a-z][a-z0-9-]{0,63}$`. Unique in a deployment. */
  readonly id: string
  /** For people, who read it beside a veto: “Secret guard”. One line. */
  readonly title: string
  /** Lower first; 0 to 10,000. Default 100. */
  readonly order?: number
  /**
   * The longest that one call of a member may take, in milliseconds; 1 to 30,000. Default 5,000.
   */
  readonly timeoutMs?: number
  /**
   * How texts of the kind `output` come to {@link AgentRunHook.mask}. `lines`: in whole lines, but for
   * long ones. `any`: as the tool speaks, cut anywhere, so that people see it at once; the hook itself
   * holds back what may be the beginning of what it hides. Lines it is if one hook wants them. Default
   * `lines`.
   */
  readonly outputPieces?: 'lines' | 'any'
  /**
   * A veto fails the run with the code `model_call_vetoed`. Not called for summaries of long chats:
   * they contain nothing new.
   */
  beforeModelCall?(call: HookedModelCall, options: { readonly signal: AbortSignal }): Promise<RunHookVeto | undefined>
  /**
   * A veto fails the run with the code `model_answer_vetoed`; the answer is not stored, and its
   * tool calls do not run. What was streamed was seen.
   */
  afterModelCall?(answer: HookedModelAnswer, options: { readonly signal: AbortSignal }): Promise<RunHookVeto | undefined>
  /**
   * Called right before a call runs, after policies and people have permitted it. A veto makes its
   * result an error that gives the reason; the run goes on.
   */
  beforeToolCall?(call: HookedToolCall, options: { readonly signal: AbortSignal }): Promise<RunHookVeto | undefined>
  /**
   * A veto withholds the result: the model and the person read the reason in its place. The effects
   * of the call remain.
   */
  afterToolCall?(result: HookedToolResult, options: { readonly signal: AbortSignal }): Promise<RunHookVeto | undefined>
  /**
   * The same number of texts, in the same order, with hidden content replaced. Called before
   * anything else sees them: store, events, logs, model, and other members of hooks. Called for one
   * call at a time in the order in which its tool spoke; for several calls at once. Images are not
   * masked.
   */
  mask?(texts: MaskedTexts, options: { readonly signal: AbortSignal }): Promise<readonly string[]>
  /**
   * As {@link mask}, for what the model writes: text and reasoning, before they are streamed and
   * stored, and before `afterModelCall` has them. Never the arguments of calls. A hook may hold back
   * the end of a piece and return it with the next one. `undefined` for a piece: nothing is to be
   * masked in this answer, and the hook is asked again for the whole alone. If it fails, the text is
   * withheld.
   */
  maskAnswer?(answer: MaskedAnswer, options: { readonly signal: AbortSignal }): Promise<readonly string[] | undefined>
  /**
   * At most once, after the end is stored. Not called if the process crashes right then: what must
   * not be missed subscribes to events.
   */
  runEnded?(end: HookedRunEnd, options: { readonly signal: AbortSignal }): Promise<void>
}
