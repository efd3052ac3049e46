import { contentType } from 'mime-types'

/**
 * Types that a browser shows and never runs as a script or style of the page that requests them.
 * Everything else is sent as plain bytes: with `nosniff`, a file of a user is never a script of
 * this origin.
 */
const harmless =
  /^(image\/(png|jpeg|gif|webp|avif)|audio\/[a-z0-9.+-]+|video\/[a-z0-9.+-]+|application\/pdf|text\/plain(; charset=utf-8)?)$/

/** The media type with which a file is sent, by its name. */
export function contentTypeOf(name: string): string {
  const type = contentType(name)
  return type && harmless.test(type) ? type : 'application/octet-stream'
}

/**
 * `Content-Disposition: attachment` with the name, in ASCII for old clients and in full (RFC 6266,
 * RFC 8187).
 */
export function attachmentOf(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_')
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`
}
