/** The replacement of removed text. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/\bBearer\s+[^\s"',;\\]+/gi, 'Bearer KEY_REDACTED'],
  [/\b(?:sk|gsk|xai|pplx|key|hf|r8|co)[-_][A-Za-z0-9_-]{16,}/g, 'KEY_REDACTED'],
  [/\bAIza[A-Za-z0-9_-]{30,}/g, 'KEY_REDACTED'],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, 'KEY_REDACTED'],
  [/\borg-[A-Za-z0-9]{8,}/g, 'ORGANISATION_REDACTED'],
  [/\bproj_[A-Za-z0-9]{8,}/g, 'PROJECT_REDACTED'],
  [/[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}/g, 'MAIL_REDACTED'],
  [
    /"(organi[sz]ation|organi[sz]ation_id|org_id|account|account_id|user|user_id|safety_identifier|email)"(\s*:\s*)"(?:[^"\\]|\\.)*"/g,
    '"$1"$2"REDACTED"',
  ],
]

/** Parameters of an address that hold keys. */
const keyParameters = ['key', 'api_key', 'api-key', 'apikey', 'token', 'access_token', 'sig', 'signature'] as const

/**
 * A text without the secrets, and without anything that looks like a key, an organisation, an
 * account, a person or a mail address.
 */
export function scrubText(text: string, secrets: readonly string[]): string {
  const plain = secrets.flatMap(spellingsOf).reduce((rest, secret) => rest.replaceAll(secret, 'KEY_REDACTED'), text)
  return replacements.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), plain)
}

/** An address without the parameters that hold keys. */
export function scrubAddress(address: string, secrets: readonly string[]): string {
  const url = new URL(address)
  for (const name of keyParameters) url.searchParams.delete(name)
  url.username = ''
  url.password = ''
  return scrubText(url.href, secrets)
}

/**
 * Headers of an answer that tests need: framing, retry hints, limits. All others may identify the
 * account.
 */
const keptHeaders =
  /^(content-type|retry-after|retry-after-ms|x-should-retry|(anthropic-|x-)?ratelimit(-[a-z-]+)?|x-amzn-errortype|x-amzn-requestid|x-request-id|request-id)$/

/** The headers of an answer that are kept, scrubbed. */
export const scrubHeaders = (headers: Headers, secrets: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries([...headers].filter(([name]) => keptHeaders.test(name)).map(([name, value]) => [name, scrubText(value, secrets)]))

/**
 * True if one of the secrets remains in a file, in any spelling, even split into pieces of a
 * stream.
 */
export function holdsSecret(content: Uint8Array, joinedTexts: string, secrets: readonly string[]): boolean {
  const text = Buffer.from(content).toString('latin1')
  return secrets.flatMap(spellingsOf).some((spelling) => {
    const bytes = Buffer.from(spelling).toString('latin1')
    return text.toLowerCase().includes(bytes.toLowerCase()) || joinedTexts.toLowerCase().includes(spelling.toLowerCase())
  })
}

const spellingsOf = (secret: string): readonly string[] => [
  ...new Set([
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(secret).toString('hex'),
  ]),
]
