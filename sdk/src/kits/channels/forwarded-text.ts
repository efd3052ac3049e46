/**
 * Words that a person only passes on, quoted under the name of who wrote them, as far as the vendor
 * says it: they are no command to the service and decide no approval, and the agent reads whose they
 * are. Empty for no words.
 */
export function forwardedText(text: string, author?: string): string {
  if (text === '') return ''
  const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map((line) => `> ${line}`)
  return [`Forwarded message${author === undefined ? '' : ` of ${author}`}:`, ...lines].join('\n')
}
