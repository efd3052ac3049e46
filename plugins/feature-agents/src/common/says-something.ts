import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'

/** White space, and characters that nothing is seen of. */
const unseen = /[\s\p{Cc}\p{Cf}]/gu

/** Whether a part of an answer is something for the person or the run: a text with a visible character, a call, an image. */
export const saysSomething = (part: ContentPart): boolean =>
  part.type === 'tool_call' || part.type === 'image' || (part.type === 'text' && part.text.replace(unseen, '') !== '')
