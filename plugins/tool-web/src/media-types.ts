const textTypes: ReadonlySet<string> = new Set([
  ...['application/json', 'application/ld+json', 'application/xml', 'application/yaml', 'application/x-yaml', 'application/toml'],
  ...['application/javascript', 'application/x-javascript', 'application/ecmascript', 'application/x-ndjson', 'application/sql'],
  ...['application/x-sh', 'application/graphql', 'image/svg+xml'],
])

/** Whether a page is HTML. */
export const isHtml = (mediaType: string): boolean => mediaType === 'text/html' || mediaType === 'application/xhtml+xml'

/** Whether content of a type can be shown as it is: plain text, JSON, XML, source. */
export const isPlainText = (mediaType: string): boolean =>
  !isHtml(mediaType) && (mediaType.startsWith('text/') || textTypes.has(mediaType) || /\+(?:json|xml|yaml)$/.test(mediaType))

/** A type that says nothing. */
export const isUnknown = (mediaType: string): boolean =>
  mediaType === '' || mediaType === 'application/octet-stream' || mediaType === 'binary/octet-stream'

/** Whether bytes of no stated type look like text: no null byte, and UTF-8 throughout the beginning. */
export function looksLikeText(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 4_096)
  if (start.includes(0)) return false
  // A character may be cut at the end.
  const text = new TextDecoder().decode(start).slice(0, -4)
  return !text.includes('\ufffd')
}
