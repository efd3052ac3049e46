/** Names of secrets, in lower case and reduced to letters and digits. */
const secretNames: ReadonlySet<string> = new Set(
  'auth cookie databaseurl jwt key otp pat pin presign setcookie setupcode signature'.split(' '),
)

const secretEnding =
  /(?:accountsid|authorization|credentials?|passphrase|passwd|password|secret|token|(?:api|encryption|private|secret|secretaccess|signing)key)$/

/** `vaulttwo_client_id` and its like are credentials; a plain `client_id` is public. */
const prefixedClientId = /[a-z0-9]clientid$/

/** In log fields these names usually do not mean a secret, so they are masked only in URLs. */
const urlOnly: ReadonlySet<string> = new Set(['key', 'auth', 'signature'])

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const isSecretPlainName = (name: string): boolean => secretNames.has(name) || prefixedClientId.test(name) || secretEnding.test(name)

/**
 * True for the name of a member, header or variable whose value is a secret, in any spelling:
 * `api_key`, `apiKey`, `X-API-Key`.
 */
export function isSecretName(name: string): boolean {
  if (name.length > 200) return false
  const normal = plain(name)
  return isSecretPlainName(normal) && !urlOnly.has(normal)
}

/** True for the name of a query or form parameter whose value is a secret. */
export function isSecretParameter(name: string): boolean {
  if (name.length > 200) return false
  const normal = plain(name)
  return isSecretPlainName(normal) || normal === 'code' || normal === 'sig'
}
