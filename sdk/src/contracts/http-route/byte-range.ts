import { defineError } from '../../core/errors.js'

/** No byte of the file is in the range. The response has its size in `Content-Range`. */
export const rangeNotSatisfiableError = defineError<{ readonly size: number }>({
  code: 'range_not_satisfiable',
  status: 416,
  title: 'Range not satisfiable',
  message: ({ size }) => `The range is outside the file, which has ${size} bytes.`,
})

/** Bytes of a file, both ends included. */
export interface ByteRange {
  /** Counted from 0. */
  readonly first: number
  /** At most one less than the size. */
  readonly last: number
}

const single = /^bytes *= *(\d{0,15}) *- *(\d{0,15})$/i

/**
 * The range that a `Range` header asks for (RFC 9110, section 14). `undefined` means the whole
 * file: without a header, for another unit, for several ranges, which a server may answer so, and
 * for an unreadable header. @throws `range_not_satisfiable`
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = single.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (first > last) throw rangeNotSatisfiableError.create({ size })
  return { first, last }
}
