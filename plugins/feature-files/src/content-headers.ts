/**
 * `Content-Disposition: attachment` with the name, in ASCII for old clients and in full (RFC 6266,
 * RFC 8187).
 */
export function attachmentOf(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_')
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`
}
