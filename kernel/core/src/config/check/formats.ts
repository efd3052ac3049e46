import { isIP } from 'node:net'
import { configurationFormats } from '@agent-service/sdk'
import { isTimeZone } from './time-zone.js'

/** Why a text does not have a format; `undefined` if it does, or if the format is not checked. */
export function formatFault(format: string, text: string): string | undefined {
  return checks[format]?.(text)
}

const checks: Readonly<Record<string, (text: string) => string | undefined>> = {
  [configurationFormats.httpUrl]: (text) => {
    const url = parseUrl(text)
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'must be an absolute http:// or https:// URL'
    if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
    if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) return 'must not contain a query or fragment'
    return undefined
  },
  [configurationFormats.originList]: (text) => {
    for (const origin of listOf(text)) {
      const url = parseUrl(origin)
      if (origin === '*' || origin === 'null') return `“${origin}” is not accepted; name each origin`
      if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.origin !== origin.toLowerCase())
        return 'must be exact origins such as https://app.example, comma-separated, without path'
    }
    return undefined
  },
  [configurationFormats.networkList]: (text) =>
    listOf(text).every(isNetwork) ? undefined : 'must be IP addresses or networks such as 10.0.0.0/8, comma-separated',
  [configurationFormats.host]: (text) =>
    isIP(text) !== 0 ||
    /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/.test(text)
      ? undefined
      : 'must be an IP address or a host name, without port',
  [configurationFormats.timeZone]: (text) => (isTimeZone(text) ? undefined : 'must be a time zone such as Europe/Berlin'),
}

/** The entries of a comma-separated list, trimmed, without empty ones. */
export const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

const parseUrl = (text: string): URL | undefined => (/\s/.test(text) || !URL.canParse(text) ? undefined : new URL(text))
