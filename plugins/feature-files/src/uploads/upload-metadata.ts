/** Keys and values of an `Upload-Metadata` header (tus 1.0.0); `undefined` if it is none. */
export function parseMetadata(header: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>()
  for (const pair of header.split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(' ')
    if (more.length > 0 || !/^[\x21-\x2b\x2d-\x7e]+$/.test(key) || found.has(key)) return undefined
    const bytes = Buffer.from(value, 'base64')
    if (bytes.toString('base64').replaceAll('=', '') !== value.replaceAll('=', '')) return undefined
    try {
      found.set(key, new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    } catch {
      return undefined
    }
  }
  return found
}
