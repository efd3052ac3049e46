/**
 * The same stream, which calls `end` once when it is over: it has ended, failed, or its reader has
 * left, even before the first item. `end` does not throw.
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
