/** Keeps the end of a text. */
export interface Tail {
  add(text: string): void
  text(): string
}

/** Keeps at most so many bytes of UTF-8, and holds no more than twice as many. */
export function createTail(maxBytes: number): Tail {
  let kept = ''
  const cut = (): void => {
    const bytes = Buffer.from(kept)
    // A character that is cut in two leaves replacement characters at the beginning.
    kept =
      bytes.length <= maxBytes
        ? kept
        : bytes
            .subarray(bytes.length - maxBytes)
            .toString('utf8')
            .replace(/^\uFFFD+/, '')
  }
  return {
    add(text) {
      kept += text.length > maxBytes ? text.slice(-maxBytes) : text
      if (kept.length > 2 * maxBytes) cut()
    },
    text() {
      cut()
      return kept
    },
  }
}
