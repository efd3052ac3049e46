import type { ConnectionQuirks } from './connection-quirks.js'

/** The header that carries a key, as the brand wants it. A key that says `Bearer` itself stays as it is. */
export function credentialHeaders(key: string | undefined, { auth }: Pick<ConnectionQuirks, 'auth'>): Readonly<Record<string, string>> {
  if (key === undefined || auth === 'none') return {}
  if (auth === 'api-key') return { 'api-key': key }
  return { authorization: /^Bearer /i.test(key) ? key : `Bearer ${key}` }
}
