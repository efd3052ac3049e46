import type { ReadFormat } from '../common/format.js'
import { decodeText } from './decode-text.js'

/** A text as it is: CSV and JSON, too, are texts that models read well. */
export const readPlainText: ReadFormat = async ({ bytes, sink }) => {
  const { text, charset } = decodeText(bytes)
  sink.add(text.replaceAll('\r\n', '\n'))
  return { details: { charset } }
}
