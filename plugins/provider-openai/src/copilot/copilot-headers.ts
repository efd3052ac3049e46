import { randomUUID } from 'node:crypto'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'

/**
 * The headers that GitHub Copilot requires for each call: who began the turn (it decides on the
 * price), whether it has images, an id for its support.
 */
export function copilotHeaders({ messages }: ModelRequest): Readonly<Record<string, string>> {
  const hasImages = messages.some(
    (message) =>
      (message.role === 'user' && message.content.some((part) => part.type === 'image')) ||
      (message.role === 'tool' && message.content.some((result) => result.content.some((part) => part.type === 'image'))),
  )
  return {
    'x-initiator': messages.at(-1)?.role === 'user' ? 'user' : 'agent',
    'x-request-id': randomUUID(),
    ...(hasImages && { 'copilot-vision-request': 'true' }),
  }
}
