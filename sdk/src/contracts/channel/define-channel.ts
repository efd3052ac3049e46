import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { Channel } from './channel.js'
import type { ChannelSupports } from './declaration.js'

/** A channel as its author writes it. */
export type ChannelDefinition = ContributionDefinition<Omit<Channel, 'supports'>, 'setUp'> & {
  /** What the channel has; what is not named is false. */
  readonly supports?: Partial<ChannelSupports>
}

/** A channel that has nothing but texts of single persons. */
export const noChannelSupports: ChannelSupports = Object.freeze({
  markdown: false,
  groups: false,
  replies: false,
  buttons: false,
  attachmentsIn: false,
  attachmentsOut: false,
  edits: false,
  typing: false,
  presence: false,
  idempotentSend: false,
  webhook: false,
})

/**
 * Makes a channel. Without `setUp` people see the form of the connection alone.
 *
 * @example
 * const createTownChannel = (connect: Channel['connect']) =>
 *   defineChannel({
 *     id: 'town',
 *     title: 'Town chat',
 *     connection: Type.Object({ token: Type.String({ title: 'Token', 'x-secret': true }) }),
 *     limits: { text: { unit: 'characters', max: 2_000 } },
 *     supports: { groups: true },
 *     connect,
 *   })
 */
export function defineChannel({ supports, setUp = [], ...definition }: ChannelDefinition): Channel {
  return Object.freeze<Channel>({ ...definition, setUp, specVersion: 1, supports: { ...noChannelSupports, ...supports } })
}
