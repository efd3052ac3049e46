import { type Static, Type } from '@agent-service/sdk'

const milliseconds = (value: number, description: string) =>
  Type.Integer({ description, default: value, minimum: 0, 'x-unit': 'milliseconds', 'x-harmless': true })

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
        initial_backoff_ms: milliseconds(1_000, 'The wait before the first retry.'),
        backoff_multiplier: Type.Number({
          description: 'By how much each wait is longer than the one before.',
          default: 2,
          minimum: 1,
          'x-harmless': true,
        }),
        max_backoff_ms: milliseconds(60_000, 'The longest wait.'),
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
