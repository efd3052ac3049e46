/** A secret in many encodings, by name. Also runs in the sandbox: nothing in it is from outside. */
export const encodingsOf = (secret: string): Readonly<Record<string, string>> => {
  const bytes = Buffer.from(secret)
  const each = (word: (byte: number) => string, between = ''): string => [...bytes].map(word).join(between)
  const hex = (byte: number): string => byte.toString(16).padStart(2, '0')
  const lines = (text: string, width: number): string => text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n')
  return {
    plain: secret,
    upper: secret.toUpperCase(),
    lower: secret.toLowerCase(),
    reversed: [...secret].reverse().join(''),
    base64: bytes.toString('base64'),
    base64At1: Buffer.from(`u${secret}`).toString('base64'),
    base64At2: Buffer.from(`u:${secret}`).toString('base64'),
    base64url: bytes.toString('base64url'),
    base64Twice: Buffer.from(bytes.toString('base64')).toString('base64'),
    base64InLines: lines(bytes.toString('base64'), 16),
    hex: bytes.toString('hex'),
    hexUpper: bytes.toString('hex').toUpperCase(),
    hexColons: each(hex, ':'),
    hexEscapes: each((byte) => `\\x${hex(byte)}`),
    octalEscapes: each((byte) => `\\${byte.toString(8).padStart(3, '0')}`),
    decimal: each((byte) => String(byte), ', '),
    url: encodeURIComponent(secret),
    urlFull: each((byte) => `%${hex(byte)}`),
    urlTwice: each((byte) => `%25${hex(byte).toUpperCase()}`),
    json: JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    unicodeEscapes: each((byte) => `\\u00${hex(byte)}`),
    html: each((byte) => (/[a-z0-9]/i.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `&#${byte};`)),
    htmlHex: each((byte) => `&#x${hex(byte)};`),
    shell: secret.replace(/[^a-z0-9_]/gi, '\\$&'),
    utf16Hex: Buffer.from(secret, 'utf16le').toString('hex'),
    utf16Base64: Buffer.from(secret, 'utf16le').toString('base64'),
    quotedPrintable: lines(
      each((byte) => `=${hex(byte).toUpperCase()}`),
      30,
    ).replace(/\n/g, '=\n'),
    spaced: [...secret].join(' '),
    inLines: [...secret].join('\n'),
    dashes: [...secret].join('-'),
    zeroWidth: [...secret].join('\u200b'),
    wrapped: lines(secret, 9),
  }
}

const windowLength = 8

/** The texts of eight characters in an encoding, without those that say next to nothing. */
function windowsOf(encoding: string): readonly string[] {
  const windows: string[] = []
  for (let at = 0; at + windowLength <= encoding.length; at += 1) {
    const window = encoding.slice(at, at + windowLength)
    if (/(?:[a-z0-9][^a-z0-9]*){3}/i.test(window)) windows.push(window)
  }
  return windows
}

/** The encodings of which a text has a window, each with one that it has. Looks at a text once. */
export function encodingsIn(texts: readonly string[], secret: string): readonly string[] {
  const names = new Map<string, string>()
  for (const [name, encoding] of Object.entries(encodingsOf(secret))) for (const window of windowsOf(encoding)) names.set(window, name)
  const found = new Map<string, string>()
  for (const text of texts)
    for (let at = 0; at + windowLength <= text.length; at += 1) {
      const window = text.slice(at, at + windowLength)
      const name = names.get(window)
      if (name !== undefined) found.set(name, window)
    }
  return [...found].map(([name, window]) => `${name}: ${JSON.stringify(window)}`)
}
