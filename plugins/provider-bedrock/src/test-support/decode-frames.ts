/** A frame read without any check of lengths or checksums. */
export interface PlainFrame {
  readonly event: string
  readonly kind: string
  readonly data: Readonly<Record<string, unknown>>
  /** Where it ends, in bytes from the beginning. */
  readonly end: number
}

/**
 * The whole frames of a stream, read independently of the adapter: text headers are searched as
 * text.
 */
export function decodeFrames(bytes: Uint8Array): readonly PlainFrame[] {
  const stream = Buffer.from(bytes)
  const frames: PlainFrame[] = []
  for (let start = 0; start + 4 <= stream.length; ) {
    const end = start + stream.readUInt32BE(start)
    if (end > stream.length) break
    const headers = stream.subarray(start + 12, start + 12 + stream.readUInt32BE(start + 4)).toString('latin1')
    const header = (name: string): string => {
      const at = headers.indexOf(name)
      if (at < 0) return ''
      const value = at + name.length + 3
      return headers.slice(value, value + headers.charCodeAt(value - 1))
    }
    const payload = stream.subarray(start + 12 + headers.length, end - 4).toString('utf8')
    frames.push({
      event: header(':event-type') || header(':exception-type'),
      kind: header(':message-type'),
      data: JSON.parse(payload || '{}') as Readonly<Record<string, unknown>>,
      end,
    })
    start = end
  }
  return frames
}
