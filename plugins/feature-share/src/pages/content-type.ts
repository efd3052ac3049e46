import { contentType } from 'mime-types'

/** How a file is sent, by its name. */
export interface SentAs {
  readonly type: string
  /** Whether a browser shows it by itself. Otherwise it is stored. */
  readonly shown: boolean
}

const media = /^(image\/(png|jpeg|gif|webp|avif|svg\+xml)|audio\/[a-z0-9.+-]+|video\/[a-z0-9.+-]+)$/
const textLike =
  /^(text\/[a-z0-9.+-]+|application\/(json|xml|javascript|yaml|toml|sql|x-sh|x-httpd-php|typescript|xhtml\+xml|[a-z0-9.-]+\+(json|xml)))$/

/**
 * Pictures, sound and film are what their names say; web pages are shown without scripts; every
 * other text is plain text, so that it is never a script or style of anything. A browser shows no
 * PDF in a sandbox, so it is stored, as is everything else.
 */
export function sentAs(name: string): SentAs {
  const known = contentType(name)
  const type = known ? (known.split(';')[0] ?? '') : ''
  if (type === 'text/html') return { type: 'text/html; charset=utf-8', shown: true }
  if (media.test(type)) return { type, shown: true }
  if (textLike.test(type) || /\.(log|ini|conf|env|ts|py|rb|go|rs|java|c|h|cpp|md)$/i.test(name))
    return { type: 'text/plain; charset=utf-8', shown: true }
  return { type: type === 'application/pdf' ? type : 'application/octet-stream', shown: false }
}

/**
 * `Content-Disposition` with the name, in ASCII for old clients and in full (RFC 6266, RFC 8187). Without
 * characters that reverse a name, so that `…gpj.exe` is no picture.
 */
export function dispositionOf(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_')
  const encoded = encodeURIComponent(name.replaceAll(/[\p{Cs}\p{Cc}]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '_')).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`
}
