import type { ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Agent } from '../../store/agents/agent.js'
import type { Approval } from '../../store/runs/approval.js'
import type { Run } from '../../store/runs/run.js'
import type { PendingCall } from '../log/plan-next.js'

/** Whether a call may run: at once, not at all, or once a person has answered. */
export type CallAccess =
  | { readonly kind: 'allowed' }
  /** `reason` is what the model reads. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'ask'; readonly approval: Approval }

/** Whose call it is. */
export interface CallContext {
  readonly run: Run
  readonly agent: Agent
}

/** Decides which tools an agent is offered and which of its calls run: by policy first (`forbid` wins), then by whether a person wants to be asked. */
export interface ToolAccess {
  /** Those of these tools that policies let the agent use. */
  permitted(agent: Agent, names: readonly string[], options: { readonly signal?: AbortSignal }): Promise<readonly string[]>
  /** Decides about one call that was not begun. Writes nothing: whoever asks stores the approval. */
  decide(place: CallContext, pending: PendingCall, call: ToolCallPart, options: { readonly signal: AbortSignal }): Promise<CallAccess>
  /** Looks at a call that may run again where time has passed since: what policies forbid by now does not begin, whatever a person has answered. */
  confirm(
    place: Pick<CallContext, 'agent'>,
    pending: PendingCall,
    call: ToolCallPart,
    options: { readonly signal: AbortSignal },
  ): Promise<Exclude<CallAccess, { readonly kind: 'ask' }>>
}
