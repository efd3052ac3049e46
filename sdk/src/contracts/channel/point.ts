import { defineContributionPoint } from '../../core/contribution-point.js'
import type { Channel } from './channel.js'

/** Messaging services. A connection names its channel by the id. */
export const channels = defineContributionPoint<Channel>()({
  id: 'channel',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (channel) => channel.id,
})
