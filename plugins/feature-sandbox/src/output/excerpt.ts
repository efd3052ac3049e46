/** What is shown of an output that may be endless. */
export interface Excerpt {
  /** The next text, and the offset in bytes of where it begins. */
  add(text: string, offset: number): void
  /**
   * The text: whole, or its beginning and its end with a line between them. `marker` makes that
   * line; `from` is the offset in bytes of something shown just before what is left out.
   */
  text(marker: (left: { readonly from: number; readonly characters: number }) => string): string
}

/** The end says more than the beginning: errors and results stand there. */
const headLength = 10_000
const tailLength = 20_000

/** Keeps at most about 70,000 UTF-16 code units of an output, and shows 30,000. */
export function createExcerpt(): Excerpt {
  let head = ''
  let tail = ''
  let length = 0
  /** Where the piece stood in which the head became full. */
  let from: number | undefined

  return {
    add(text, offset) {
      length += text.length
      const room = headLength - head.length
      head += text.slice(0, room)
      if (text.length <= room) return
      from ??= offset
      tail += text.slice(room)
      if (tail.length > 2 * tailLength) tail = tail.slice(-tailLength)
    },
    text(marker) {
      const isWhole = length <= headLength + tailLength && length === head.length + tail.length
      if (isWhole) return head + tail
      const begin = wholeLines(head)
      const end = lastLines(tail.slice(-tailLength))
      return `${begin}\n${marker({ from: from ?? 0, characters: length - begin.length - end.length })}\n${end}`
    },
  }
}

/** How much of a cut line is given up for whole lines. */
const maxLine = 2_000

function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n')
  if (end >= text.length - maxLine) return text.slice(0, Math.max(end, 0))
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}

function lastLines(text: string): string {
  const start = text.indexOf('\n')
  if (start !== -1 && start < maxLine && start < text.length - 1) return text.slice(start + 1)
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text
}
