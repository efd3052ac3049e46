/**
 * The same stream, which calls `end` once when it is over: it has come to its end, failed, or is not read any further, even if it was never begun. `end` does
 * not throw.
 */
export function onStreamEnd<Piece>(stream: AsyncIterable<Piece>, end: () => void): AsyncIterable<Piece> {
  let isOver = false
  const over = (): void => {
    if (isOver) return
    isOver = true
    end()
  }
  return {
    [Symbol.asyncIterator]() {
      const pieces = stream[Symbol.asyncIterator]()
      return {
        async next() {
          try {
            const result = await pieces.next()
            if (result.done === true) over()
            return result
          } catch (error) {
            over()
            throw error
          }
        },
        async return() {
          try {
            await pieces.return?.()
          } finally {
            over()
          }
          return { done: true, value: undefined }
        },
      }
    },
  }
}
