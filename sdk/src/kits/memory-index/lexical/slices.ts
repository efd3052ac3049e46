/** How long work goes on before others get a turn. */
const sliceMs = 8

/** Makes a function to call between small pieces of work: it waits one turn of the event loop when the slice is used up. */
export function createSlices(signal: AbortSignal): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < sliceMs) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    began = performance.now()
  }
}
