import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'

/** The path of the chat that the first argument names. */
export const chatPath = ({ arguments: [id = ''] }: Pick<CommandContext, 'arguments'>): string => `/api/chats/${encodeURIComponent(id)}`

/** The argument of every command about one chat. */
export const chatArgument = { name: 'id', description: 'the id of the chat; “chats list” shows it', required: true } as const
