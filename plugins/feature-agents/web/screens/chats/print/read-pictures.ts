import type { Schemas } from '../../../api/index.js'
import { bytesOf } from '../../../turns/files/attached-files.js'

type Message = Schemas['Message']

/** A picture that was read, and can be shown. */
export interface PrintedPicture {
  readonly address: string
}

const pictures = /^image\/(png|jpeg|gif|webp)$/
export const placeOf = (message: Message, part: number): string => `${message.id} ${part}`

/** The pictures of messages, by their places. One that is gone or has changed is missing: it is only named. */
export async function readPictures(messages: readonly Message[]): Promise<ReadonlyMap<string, PrintedPicture>> {
  const found = new Map<string, PrintedPicture>()
  const { signal } = new AbortController()
  for (const message of messages)
    for (const [index, part] of message.content.entries()) {
      if (part.type !== 'image' || !pictures.test(part.media_type)) continue
      const bytes = await bytesOf(part, signal).catch(() => undefined)
      if (bytes === undefined) continue
      const address = URL.createObjectURL(new Blob([bytes], { type: part.media_type }))
      const image = new Image()
      image.src = address
      // One that cannot be decoded is named, too.
      const shows = await image.decode().then(
        () => true,
        () => false,
      )
      if (shows) found.set(placeOf(message, index), { address })
      else URL.revokeObjectURL(address)
    }
  return found
}
