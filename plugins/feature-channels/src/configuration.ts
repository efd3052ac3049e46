import { type Static, Type } from '@agent-service/sdk'

/** Section `channel`. */
export const channelSection = Type.Object(
  {
    retry: Type.Object(
      {
        max_retries: Type.Integer({
          description: 'How often a connection is tried again before it counts as failed for good. The default is as good as unlimited.',
          default: 4_294_967_295,
          minimum: 0,
          'x-harmless': true,
        }),
        initial_backoff_ms: Type.Integer({
          ...{ description: 'The wait before the first retry.', default: 1_000, minimum: 0, 'x-unit': 'milliseconds', 'x-harmless': true },
        }),
        backoff_multiplier: Type.Number({
          ...{ description: 'By how much each wait is longer than the one before.', default: 2, minimum: 1, 'x-harmless': true },
        }),
        max_backoff_ms: Type.Integer({
          ...{ description: 'The longest wait.', default: 60_000, minimum: 0, 'x-unit': 'milliseconds', 'x-harmless': true },
        }),
      },
      { description: 'How a connection that was lost is tried again.', additionalProperties: false },
    ),
  },
  {
    title: 'Channels',
    description: 'Connections to messaging channels. What a channel says itself takes precedence.',
    additionalProperties: false,
  },
)

export type ChannelSection = Static<typeof channelSection>
