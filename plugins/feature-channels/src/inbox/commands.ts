/** What people can tell the service itself, in a message that has nothing else. */
export type ChannelCommand = 'new' | 'stop' | 'help'

/** Vendors add the name of the account: `/new@town_bot`. */
export function commandOf(text: string): ChannelCommand | undefined {
  const [, name] = /^\/(new|stop|help|start)(?:@\S{1,100})?$/i.exec(text.trim()) ?? []
  const lower = name?.toLowerCase()
  return lower === 'start' ? 'help' : (lower as ChannelCommand | undefined)
}

export const helpText = 'Write to me, and the agent answers. /new begins a new conversation, /stop ends what the agent is doing.'
