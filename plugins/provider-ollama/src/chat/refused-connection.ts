import type { ModelClient } from '@agent-service/sdk/provider-kit'

/**
 * Wraps the client: explains the most common failure with a local runtime, that nothing listens
 * there.
 */
export const explainRefusedConnections = (client: ModelClient, root: string): ModelClient => ({
  load: () => client.load(),
  close: () => client.close(),
  async post(request, connectMs) {
    try {
      return await client.post(request, connectMs)
    } catch (error) {
      if (!isRefused(error)) throw error
      const reason = `No Ollama answers at ${root}. Start it (“ollama serve”), or set base_url to where it runs.`
      throw Object.assign(new Error(reason), { code: 'ECONNREFUSED' })
    }
  },
})

const isRefused = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if ((error as { readonly code?: unknown }).code === 'ECONNREFUSED') return true
  return error instanceof AggregateError ? error.errors.some(isRefused) : isRefused(error.cause)
}
