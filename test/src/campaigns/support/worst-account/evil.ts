/**
 * Expressions that take exponential time where they are tried one way after the other, or much time
 * even in proportion to the text.
 */
export const evilExpressions: readonly string[] = ['(a|a)*$', '(x+x+)+y', '^(a+)+$', '(.*)*(.*)*z', '^(a?){1000}b$', '(\\pL|\\w){0,1000}!!']

/** A text on which they do. */
export const evilText = `${'a'.repeat(18_000)}!\n${'x'.repeat(18_000)}\n${'a'.repeat(90)}ba\n`.repeat(50)

/**
 * A body of `/v1/chat/completions` in which every message is wrong in several ways, of about so
 * many bytes.
 */
export function wrongMessages(bytes: number): object {
  const wrong = { role: 'nobody', content: [{ type: 'none', text: 1 }], tool_calls: 'x' }
  return { model: 'primary', messages: Array.from({ length: Math.ceil(bytes / JSON.stringify(wrong).length) }, () => wrong) }
}
