import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aLine, aName, aRange, checkShape, oneOf } from '../shape/check-shape.js'
import type { ChannelSupports } from './declaration.js'
import type { ChannelMessage } from './messages.js'

const anId = (maxLength: number) => aName(new RegExp(`^\\P{Cc}{1,${maxLength}}$`, 'u'), `an id of 1 to ${maxLength} characters on one line`)

/** By the clock of a vendor: from 2001 on, which seconds and microseconds are not. */
const aTime = aRange(1e12, 1e14)

const attachment = Type.Object({
  id: anId(4_000),
  name: Type.Optional(aLine(255)),
  mediaType: Type.Optional(aName(/^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:;.{0,100})?$/, 'a media type, such as image/png')),
  size: Type.Optional(aRange(0, Number.MAX_SAFE_INTEGER)),
  bytes: Type.Optional(Type.Unknown()),
})

const shape = Type.Object({
  id: anId(500),
  conversation: Type.Object({ id: anId(500), kind: oneOf(['direct', 'group']), title: Type.Optional(aLine(200)) }),
  sender: Type.Object({ id: anId(200), name: Type.Optional(aLine(200)), bot: Type.Boolean() }),
  text: Type.String(),
  at: aTime,
  mentioned: Type.Boolean(),
  replyTo: Type.Optional(anId(500)),
  button: Type.Optional(aName(/^[\w.:-]{1,60}$/, 'the value of a button')),
  attachments: Type.Optional(Type.Array(attachment, { maxItems: 100 })),
})

/**
 * Everything that is wrong with a message that a channel hands on, each with a JSON pointer. Empty
 * when it can be taken. Never throws.
 */
export function checkChannelMessage(message: unknown, supports: ChannelSupports): readonly Problem[] {
  const problems = checkShape(shape, message)
  return problems.length > 0 ? problems : checkAgreement(message as ChannelMessage, supports)
}

function checkAgreement(
  { conversation, mentioned, button, attachments = [] }: ChannelMessage,
  supports: ChannelSupports,
): readonly Problem[] {
  const problem = (path: string, message: string): Problem => ({ path, message })
  return [
    ...(conversation.kind === 'direct' && !mentioned ? [problem('/mentioned', 'must be true in a direct conversation')] : []),
    ...(conversation.kind === 'group' && !supports.groups ? [problem('/conversation/kind', 'must be direct without supports.groups')] : []),
    ...(button !== undefined && !supports.buttons ? [problem('/button', 'needs supports.buttons')] : []),
    ...(attachments.length > 0 && !supports.attachmentsIn ? [problem('/attachments', 'needs supports.attachmentsIn')] : []),
    ...attachments.flatMap(({ bytes }, index) =>
      bytes === undefined || bytes instanceof Uint8Array ? [] : [problem(`/attachments/${index}/bytes`, 'must be a Uint8Array')],
    ),
  ]
}
