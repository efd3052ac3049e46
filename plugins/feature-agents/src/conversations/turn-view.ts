import type { JsonObject } from '@agent-service/sdk'
import type { StopReason } from '@agent-service/sdk/contracts/provider-adapter'
import type { ConversationEvent, ConversationUsage } from '@agent-service/sdk/services/agents'
import type { WatchedEvent } from '../runs/streaming/run-watchers.js'
import { objectOf } from './answer-text.js'

/** What is known of a turn from the events of its run, beside its text. */
export interface TurnView {
  take(event: WatchedEvent): void
  /** The tool call that an event tells of. */
  callIn(event: WatchedEvent): Extract<ConversationEvent, { type: 'tool' }> | undefined
  /** Where the newest message stands: its branch, and the sequence behind it. */
  end(): { readonly branchId: string; readonly sequence: number } | undefined
  /** Of the whole run, once it has ended. */
  usage(): ConversationUsage | undefined
  /** Why the model stopped the last time. */
  stopReason(): StopReason
  /** What a failed or cancelled run says of itself. */
  failure(event: WatchedEvent): { readonly code: string; readonly message: string }
}

export function createTurnView(): TurnView {
  let end: { readonly branchId: string; readonly sequence: number } | undefined
  let usage: ConversationUsage | undefined
  let stopReason: StopReason = 'stop'

  return {
    take({ name, data }) {
      const message = objectOf(data['message'])
      const sequence = message['sequence']
      if (typeof sequence === 'number' && sequence >= (end?.sequence ?? 0))
        end = { branchId: String(message['branch_id']), sequence: sequence + 1 }
      if (name === 'usage.recorded') stopReason = (data['stop_reason'] ?? 'stop') as StopReason
      const total = objectOf(objectOf(data['run'])['usage'])
      if ('input_tokens' in total) usage = total as unknown as ConversationUsage
    },
    callIn: ({ name, data }) => {
      if (name !== 'tool_call.started' && name !== 'tool_call.finished') return undefined
      return {
        ...{ type: 'tool', callId: String(data['call_id']), name: String(data['name']) },
        state: name === 'tool_call.started' ? 'started' : 'finished',
        ...purposeIn(data),
      }
    },
    end: () => end,
    usage: () => usage,
    stopReason: () => stopReason,
    failure({ name, data }) {
      if (name === 'run.cancelled') return { code: 'run_cancelled', message: 'The run was cancelled.' }
      const { code, message } = objectOf(data['failure'])
      return { code: String(code ?? 'internal_error'), message: String(message ?? 'The run failed.') }
    },
  }
}

const purposeIn = ({ purpose }: JsonObject): { readonly purpose?: string } => (typeof purpose === 'string' ? { purpose } : {})
