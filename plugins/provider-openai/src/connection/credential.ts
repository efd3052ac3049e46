import type { ConnectionQuirks } from './connection-quirks.js'

/**
 * The header with the key, as the brand requires it. A key with the prefix `Bearer` stays
 * unchanged.
 */
export function credentialHeaders(key: string | undefined, { auth }: Pick<ConnectionQuirks, 'auth'>): Readonly<Record<string, string>> {
  if (key === undefined || auth === 'none') return {}
  if (auth === 'api-key') return { 'api-key': key }
  return { authorization: /^Bearer /i.test(key) ? key : `Bearer ${key}` }
}
