import type { ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Agent } from '../../store/agents/agent.js'
import type { Approval } from '../../store/runs/approval.js'
import type { Run } from '../../store/runs/run.js'
import type { PendingCall } from '../log/plan-next.js'

/** Whether a call may run: at once, not at all, or once a person has answered. */
export type CallAccess =
  | { readonly kind: 'allowed' }
  /** The model reads `reason`. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'ask'; readonly approval: Approval }

/** The run and the agent of a call. */
export interface CallContext {
  readonly run: Run
  readonly agent: Agent
}

/**
 * Decides which tools an agent is offered and which of its calls run: first by policy (`forbid`
 * wins), then by the approval mode.
 */
export interface ToolAccess {
  /** The tools among these that policies permit the agent. */
  permitted(agent: Agent, names: readonly string[], options: { readonly signal?: AbortSignal }): Promise<readonly string[]>
  /** Decides about one call that has not begun. Writes nothing: the caller stores the approval. */
  decide(place: CallContext, pending: PendingCall, call: ToolCallPart, options: { readonly signal: AbortSignal }): Promise<CallAccess>
  /**
   * Checks an approved call again after time has passed: a call that policies forbid by now does
   * not begin, whatever a person has answered; nor does one that differs in anything from the call
   * that they were asked about.
   */
  confirm(
    place: Pick<CallContext, 'agent'>,
    pending: PendingCall,
    call: ToolCallPart,
    options: { readonly signal: AbortSignal },
  ): Promise<Exclude<CallAccess, { readonly kind: 'ask' }>>
}
