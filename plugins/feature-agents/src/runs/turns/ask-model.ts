import {
  type Inference,
  type InferenceEvent,
  type InferenceRequest,
  modelGroupUnusableError,
  requestUnsupportedError,
} from '@agent-service/sdk/services/inference'

/**
 * Requests an answer in a given form, by the vendor's structured output if the adapter supports it.
 * The prompt states the form too. An adapter without support refuses before anything is sent, and
 * is then called without the form.
 */
export async function* askModel(
  inference: Pick<Inference, 'infer'>,
  { responseSchema, ...request }: InferenceRequest,
  signal: AbortSignal,
): AsyncGenerator<InferenceEvent, void, undefined> {
  if (responseSchema) {
    try {
      yield* inference.infer({ ...request, responseSchema }, { signal })
      return
    } catch (error) {
      if (!modelGroupUnusableError.isInstance(error) && !requestUnsupportedError.isInstance(error)) throw error
    }
  }
  yield* inference.infer(request, { signal })
}
