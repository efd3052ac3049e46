import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceEvent } from '@agent-service/sdk/services/inference'
import { callerError } from './openai-error.js'

/** The complete answer of an inference. @throws the error for the caller of a failure. */
export async function finishedAnswer(events: AsyncIterable<InferenceEvent>): Promise<Extract<ModelEvent, { type: 'response.finished' }>> {
  try {
    for await (const event of events) if (event.type === 'response.finished') return event
  } catch (error) {
    throw callerError(error)
  }
  throw new Error('The inference ended without an answer.')
}
