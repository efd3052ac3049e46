import type { ImagePart } from '../../contracts/provider-adapter/index.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import { pictureAt } from '../../kits/model-answers/pictures/picture-at.js'
import { listAt, objectAt, textAt } from '../common/json.js'

const pictureTypes: ReadonlySet<string> = new Set(['image_url', 'output_image', 'image'])

/**
 * The pictures of a delta or message: those in `images`, where OpenRouter and gateways after it put
 * them, and those among the parts of its content.
 */
export function readPictures(delta: JsonObject): readonly ImagePart[] {
  const parts = listAt(delta, 'content').filter((part) => pictureTypes.has(textAt(part, 'type') ?? ''))
  return [...parts, ...listAt(delta, 'images')].map(pictureOf)
}

/** What a vendor calls a picture, in any of the forms that are in use. */
function pictureOf(given: JsonValue): ImagePart {
  const inside = objectAt(given, 'image_url')
  const address = typeof given === 'string' ? given : (textAt(inside, 'url') ?? textAt(given, 'image_url') ?? textAt(given, 'url'))
  if (address !== undefined) return pictureAt(address)
  const source = objectAt(given, 'source')
  const data = textAt(given, 'b64_json') ?? textAt(given, 'data') ?? textAt(source, 'data') ?? ''
  const mediaType = textAt(given, 'media_type') ?? textAt(given, 'mime_type') ?? textAt(source, 'media_type') ?? 'image/png'
  return { type: 'image', media_type: mediaType, data }
}
