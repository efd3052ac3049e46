/** How many endpoints are remembered at most. */
const memoryLimit = 256

/** Remembers which endpoints refuse `stream_options`; it is left out for them from then on. */
export interface EndpointMemory {
  /** Whether the endpoint is known to refuse them. */
  refusesStreamOptions(baseUrl: string): boolean
  /** Records a refusal. If there are too many, the oldest endpoint is forgotten. */
  rememberRefusal(baseUrl: string): void
}

/** Makes an empty memory. */
export function createEndpointMemory(): EndpointMemory {
  const refusing = new Set<string>()
  return {
    refusesStreamOptions: (baseUrl) => refusing.has(baseUrl),
    rememberRefusal(baseUrl) {
      const oldest = refusing.values().next()
      if (refusing.size >= memoryLimit && !oldest.done) refusing.delete(oldest.value)
      refusing.add(baseUrl)
    },
  }
}
