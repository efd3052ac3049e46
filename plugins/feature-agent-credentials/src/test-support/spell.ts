/** A way to write a secret down, which the mask has to know. Encodings of their own, not those of the matcher. */
export type Spell = (secret: string) => string

const utf8 = (text: string): readonly number[] => [...new TextEncoder().encode(text)]
const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0')
const wrapped =
  (width: number, end = '\n'): Spell =>
  (text) =>
    text.replaceAll(new RegExp(`.{${width}}`, 'gsu'), (line) => `${line}${end}`)
const each = (text: string, between: string): string => [...text].join(between)
const inBase64 =
  (before: string, after: string): Spell =>
  (secret) =>
    Buffer.from(`${before}${secret}${after}`).toString('base64')
const utf16 = (text: string, big: boolean): Buffer => (big ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'utf16le'))
const html = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? '&#39;')
const percent = (text: string): string =>
  utf8(text)
    .map((byte) => `%${hexOf(byte)}`)
    .join('')
const quotedPrintable = (text: string): string =>
  utf8(text)
    .map((byte) => (byte < 0x21 || byte > 0x7e || byte === 0x3d ? `=${hexOf(byte).toUpperCase()}` : String.fromCharCode(byte)))
    .join('')
const base32 = (text: string): string => {
  const bits = utf8(text)
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** By name. */
export const spells: Readonly<Record<string, Spell>> = {
  plain: (secret) => secret,
  'upper case': (secret) => secret.toUpperCase(),
  'lower case': (secret) => secret.toLowerCase(),
  reversed: (secret) => [...secret].reverse().join(''),
  rot13: (secret) =>
    secret.replaceAll(/[a-z]/gi, (letter) => {
      const alphabet = letter < 'a' ? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' : 'abcdefghijklmnopqrstuvwxyz'
      return alphabet[(alphabet.indexOf(letter) + 13) % 26] ?? ''
    }),
  base64: inBase64('', ''),
  'base64 at 1': inBase64('x', 'yz'),
  'base64 at 2': inBase64('xy', ':'),
  'base64 without padding': (secret) => inBase64('', '')(secret).replaceAll('=', ''),
  base64url: (secret) => Buffer.from(secret).toString('base64url'),
  'base64url at 1': (secret) => Buffer.from(`a${secret}bb`).toString('base64url'),
  'base64url at 2': (secret) => Buffer.from(`aa${secret}`).toString('base64url'),
  'base64 in lines of 76': (secret) => wrapped(76)(inBase64('u:', '')(secret)),
  'base64 in lines of 10': (secret) => wrapped(10, '\r\n')(inBase64('', '')(secret)),
  'base64 of base64': (secret) => Buffer.from(inBase64('', '')(secret)).toString('base64'),
  base32,
  hex: (secret) => Buffer.from(secret).toString('hex'),
  'hex in upper case': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'hex with colons': (secret) => utf8(secret).map(hexOf).join(':'),
  'hex with spaces': (secret) => utf8(secret).map(hexOf).join(' '),
  'hex with dashes': (secret) => utf8(secret).map(hexOf).join('-'),
  'hex with \\x': (secret) =>
    utf8(secret)
      .map((byte) => `\\x${hexOf(byte)}`)
      .join(''),
  'hex with 0x': (secret) =>
    utf8(secret)
      .map((byte) => `0x${hexOf(byte)}`)
      .join(', '),
  decimal: (secret) => utf8(secret).join(', '),
  octal: (secret) =>
    utf8(secret)
      .map((byte) => byte.toString(8).padStart(3, '0'))
      .join(' '),
  binary: (secret) =>
    utf8(secret)
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join(' '),
  'octal escapes': (secret) =>
    utf8(secret)
      .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
      .join(''),
  'swapped words': (secret) =>
    Buffer.from(`${secret}${'\0'.repeat(Buffer.byteLength(secret) % 2)}`)
      .swap16()
      .toString('hex')
      .replaceAll(/.{4}/g, '$& '),
  'URL in part': (secret) => encodeURIComponent(secret),
  'URL in full': percent,
  'URL in full, upper case': (secret) => percent(secret).toUpperCase(),
  'URL of a form': (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
  'URL twice': (secret) => encodeURIComponent(percent(secret)),
  json: (secret) => JSON.stringify(secret),
  'json in json': (secret) => JSON.stringify(JSON.stringify(secret)),
  'json, all escaped': (secret) =>
    Array.from({ length: secret.length }, (_, at) => `\\u${secret.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  'python repr of bytes': (secret) =>
    `b'${utf8(secret)
      .map((byte) => (byte > 0x1f && byte < 0x7f && byte !== 0x5c && byte !== 0x27 ? String.fromCharCode(byte) : `\\x${hexOf(byte)}`))
      .join('')}'`,
  html,
  'html, decimal': (secret) => [...secret].map((one) => `&#${one.codePointAt(0)};`).join(''),
  'html, hexadecimal': (secret) => [...secret].map((one) => `&#x${one.codePointAt(0)?.toString(16)};`).join(''),
  'shell, single quotes': (secret) => `'${secret.replaceAll("'", "'\\''")}'`,
  'shell, double quotes': (secret) => `"${secret.replaceAll(/["\\$`]/g, '\\$&')}"`,
  'shell, backslashes': (secret) => secret.replaceAll(/[^a-z0-9\n]/gi, '\\$&'),
  "shell, $'…'": (secret) =>
    `$'${utf8(secret)
      .map((byte) => `\\x${hexOf(byte)}`)
      .join('')}'`,
  'UTF-16 LE in hex': (secret) => utf16(secret, false).toString('hex'),
  'UTF-16 BE in hex': (secret) => utf16(secret, true).toString('hex'),
  'UTF-16 LE in base64': (secret) => utf16(secret, false).toString('base64'),
  'UTF-16 BE in base64': (secret) => utf16(secret, true).toString('base64'),
  'UTF-16 as text': (secret) => `${each(secret, '\0')}\0`,
  'quoted-printable': quotedPrintable,
  'quoted-printable in lines': (secret) =>
    (quotedPrintable(secret).match(/=[0-9A-F]{2}|[^=]/g) ?? []).map((one, at) => (at % 20 === 19 ? `${one}=\r\n` : one)).join(''),
  'spaced out': (secret) => each(secret, ' '),
  'one character a line': (secret) => each(secret, '\n'),
  'with dashes': (secret) => each(secret, '-'),
  'with zero width': (secret) => each(secret, '\u200b'),
  'with colours': (secret) => each(secret, '\u001b[31m'),
  'in lines of 60': wrapped(60),
  'in lines of 7': wrapped(7),
}
