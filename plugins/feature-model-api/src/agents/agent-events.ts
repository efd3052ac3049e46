import type { ConversationEvent } from '@agent-service/sdk/services/agents'
import type { InferenceEvent } from '@agent-service/sdk/services/inference'
import { agentFailure, answerWithdrawnError } from './agent-errors.js'

/**
 * The turn of an agent as the events of one inference: at most one part of reasoning and one of
 * text, in the order in which they begin, then its pictures. With `streamed`, deltas are passed on, and withdrawn text
 * ends the answer.
 * @throws the error for the caller of a run that failed.
 */
export async function* agentEvents(
  events: AsyncIterable<ConversationEvent>,
  { streamed }: { readonly streamed: boolean },
): AsyncGenerator<InferenceEvent, void, undefined> {
  const parts: ('text' | 'reasoning')[] = []
  const indexOf = (kind: 'text' | 'reasoning'): number => {
    if (!parts.includes(kind)) parts.push(kind)
    return parts.indexOf(kind)
  }
  for await (const event of events) {
    switch (event.type) {
      case 'text.delta':
        if (streamed) yield { type: 'text.delta', part: indexOf('text'), text: event.text }
        break
      case 'reasoning.delta':
        if (streamed) yield { type: 'reasoning.delta', part: indexOf('reasoning'), text: event.text }
        break
      case 'void':
        if (streamed) throw answerWithdrawnError.create({})
        break
      case 'finished': {
        const { text, reasoning, usage, stopReason, pictures = [], fallback } = event
        if (reasoning !== '') indexOf('reasoning')
        indexOf('text')
        const content = parts.map((kind) =>
          kind === 'text' ? { type: 'text' as const, text } : { type: 'reasoning' as const, text: reasoning },
        )
        yield {
          ...{ type: 'response.finished', content: [...content, ...pictures], stop_reason: stopReason, usage },
          ...(fallback && { fallback }),
        }
        return
      }
      case 'failed':
        throw agentFailure(event)
      case 'retrying':
        yield { type: 'attempt.retrying', attempt: 1, delay_ms: event.delayMs, failure: event.failure, reason: event.reason }
        break
      case 'run':
      case 'tool':
        break
    }
  }
}
