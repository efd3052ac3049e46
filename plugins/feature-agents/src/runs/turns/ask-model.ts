import { type Inference, type InferenceEvent, type InferenceRequest, modelGroupUnusableError } from '@agent-service/sdk/services/inference'

/**
 * Asks for an answer of a form, by the means of the vendor where its adapter has any: the model was told the form in words too. An adapter
 * without refuses before anything is sent, and is asked without.
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
      if (!modelGroupUnusableError.isInstance(error)) throw error
    }
  }
  yield* inference.infer(request, { signal })
}
