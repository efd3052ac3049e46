import type { ImagePart } from '../../../contracts/provider-adapter/index.js'

/** A head with its parameters is far shorter. */
const maxHead = 1_000

/**
 * The picture that a vendor gives as an address: the data of a `data:` URL, or of bare base64; any
 * other address stays one, and nothing is fetched from it.
 */
export function pictureAt(address: string): ImagePart {
  const comma = address.slice(0, maxHead).indexOf(',')
  const head = /^data:([^;,]*)((?:;[^;,]*)*)$/i.exec(address.slice(0, Math.max(0, comma)))
  if (head) {
    const data = address.slice(comma + 1)
    const isBase64 = /;base64$/i.test(head[2] ?? '')
    return { type: 'image', media_type: (head[1] ?? '').toLowerCase(), data: isBase64 ? data : encoded(data) }
  }
  if (/^[A-Za-z0-9+/]{40}/.test(address)) return { type: 'image', media_type: 'image/png', data: address }
  return { type: 'image', media_type: 'image/*', url: address }
}

function encoded(text: string): string {
  try {
    return Buffer.from(decodeURIComponent(text)).toString('base64')
  } catch {
    return ''
  }
}
