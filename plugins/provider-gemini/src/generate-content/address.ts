import type { GenerateContentQuirks } from './quirks.js'

/**
 * The version part, if the address has none; addresses of a cloud project have it before the
 * project.
 */
export const versionOf = (baseUrl: string): string => (/\/v\d+((alpha|beta)\d*)?(\/|$)/.test(baseUrl) ? '' : '/v1beta')

/** A model may be named with its collection: `models/x`, `tunedModels/x`. */
export function modelPath(model: string): string {
  const path = model.replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/')
  return /^(models|tunedModels|publishers|projects)\//.test(path) ? path : `models/${path.replaceAll('/', '%2F')}`
}

/** The header that carries a key or a token. */
export function credentialOf(apiKey: string | undefined, { auth }: GenerateContentQuirks): Readonly<Record<string, string>> {
  if (apiKey === undefined || auth === 'none') return {}
  const token = apiKey.replace(/^Bearer\s+/i, '')
  // The prefix of tokens of the cloud's sign-in.
  const isToken = auth === 'bearer' || token !== apiKey || token.startsWith('ya29.')
  return isToken ? { authorization: `Bearer ${token}` } : { 'x-goog-api-key': apiKey }
}
