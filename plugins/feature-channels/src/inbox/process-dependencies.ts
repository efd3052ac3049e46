import type { ChannelParts } from '../parts/channel-parts.js'
import type { OpenSession } from '../sessions/open-session.js'
import type { Typing } from '../sessions/typing.js'

export interface ProcessDependencies {
  readonly parts: ChannelParts
  readonly typing: Typing
  readonly session: (connectionId: string) => OpenSession | undefined
  /** A conversation has something to send. */
  readonly onDelivery: (connectionId: string, line: string) => void
}
