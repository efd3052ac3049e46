import { redactedText } from './redactor.js'

/**
 * Each pattern reads the text once, with bounded backtracking, so that hostile text takes no longer
 * than other text.
 */
const patterns: readonly { readonly pattern: RegExp; readonly replace: (...parts: string[]) => string }[] = [
  {
    pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
    replace: () => redactedText,
  },
  // Headers in text, to the end of the line.
  {
    pattern:
      /\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key|api-key|x-goog-api-key)(["']?\s{0,4}:\s{0,4})(?!\[redacted\])[^\r\n]+/gi,
    replace: (_whole, name = '', separator = '') => `${name}${separator}${redactedText}`,
  },
  { pattern: /\b(bearer|basic)\s{1,4}[A-Za-z0-9._~+/=-]{6,}/gi, replace: (_whole, scheme = '') => `${scheme} ${redactedText}` },
  { pattern: /\bsvc_pat_[A-Za-z0-9]+/g, replace: () => redactedText },
  { pattern: /\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*){0,3}/g, replace: () => redactedText },
  { pattern: /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{8,}/g, replace: () => redactedText },
  // A user name or password in a URL.
  { pattern: /:\/\/[^\s/?#"'<>]{1,1024}@/g, replace: () => `://${redactedText}@` },
  // Parameters: ?token=…, &presign=…, client_secret=…
  {
    pattern: /(?<![A-Za-z0-9_.%-])([A-Za-z0-9_.-]{1,64})=([^&\s"'<>#;,)\]}]+)/g,
    replace: (whole, name = '') => (isSecretParameter(name) ? `${name}=${redactedText}` : whole),
  },
  // Members of JSON in text, also with escaped quotes.
  {
    pattern: /(\\{0,3}["'])([A-Za-z0-9_.-]{1,64})(\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["'])([^"'\\]*)/g,
    replace: (whole, open = '', name = '', middle = '') => (isSecretName(name) ? `${open}${name}${middle}${redactedText}` : whole),
  },
]

/** Every match of a pattern contains one of these; most texts in a log contain none. */
const trigger = /[=:]|bearer|basic|svc_pat_|eyJ|sk-|-----BEGIN/i

/** Masks everything that looks like a secret by its form or by the name before it. */
export function maskPatterns(text: string): string {
  if (!trigger.test(text)) return text
  let masked = text
  for (const { pattern, replace } of patterns) masked = masked.replace(pattern, replace)
  return masked
}

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
function isSecretParameter(name: string): boolean {
  if (name.length > 200) return false
  const normal = plain(name)
  return isSecretPlainName(normal) || normal === 'code' || normal === 'sig'
}
