/** How many endpoints are remembered at most. */
const memoryLimit = 256

/** Remembers which endpoints refuse `stream_options`, so that they are asked without it from then on. */
export interface EndpointMemory {
  /** Whether it is known to refuse them. */
  refusesStreamOptions(baseUrl: string): boolean
  /** It refused them. The endpoint that was remembered first is forgotten where there are too many. */
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
