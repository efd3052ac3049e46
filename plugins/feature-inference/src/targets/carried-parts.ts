import type { ModelMessage, ProviderAdapterSupport } from '@agent-service/sdk/contracts/provider-adapter'
import { mediaIn, replaceMedia } from '../common/media-places.js'
import { reaches } from './readable-files.js'

/**
 * Messages with texts in the place of pictures and files that an adapter cannot be sent at all. The
 * same messages if it can be sent everything.
 */
export function withCarriedParts(messages: readonly ModelMessage[], supports: ProviderAdapterSupport): readonly ModelMessage[] {
  if (mediaIn(messages).length === 0) return messages
  return replaceMedia(messages, (part) => {
    if (part.type === 'image') return supports.images ? part : { type: 'text', text: '[picture left out: this model takes no pictures]' }
    if (reaches(part, supports.files)) return part
    return { type: 'text', text: `[file “${part.name}” left out: this model takes no files of the type ${part.media_type}]` }
  })
}
