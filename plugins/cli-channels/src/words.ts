export const connectionsPath = '/api/channels/connections'

/** The address of one connection. */
export const connectionPath = (id: string, below = ''): string => `${connectionsPath}/${encodeURIComponent(id)}${below}`

/** The argument of most commands. */
export const connectionArgument = {
  name: 'connection',
  description: 'the connection, by the ID that “channels list” shows',
  required: true,
} as const
