import { Type } from '@agent-service/sdk'
import { defineWebSocketRoute, type WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'

/** A route that echoes each message; `changes` override its definition. */
export const echoRoute = (changes: Partial<WebSocketRoute> = {}): WebSocketRoute => ({
  ...defineWebSocketRoute({
    path: '/api/echo',
    operationId: 'echo',
    summary: 'Echo messages',
    auth: 'user',
    messages: {
      kind: 'json',
      inbound: Type.Object({ say: Type.String({ maxLength: 100 }) }),
      outbound: Type.Object({ said: Type.String() }),
    },
    async handle({ messages, send }) {
      for await (const { json } of messages) await send({ kind: 'json', json: { said: json.say } })
    },
  }),
  ...changes,
})

/** The same for raw frames. */
export const rawEchoRoute = (changes: Partial<WebSocketRoute> = {}): WebSocketRoute => ({
  ...defineWebSocketRoute({
    path: '/api/raw',
    operationId: 'rawEcho',
    summary: 'Echo frames',
    auth: 'public',
    messages: { kind: 'raw' },
    async handle({ messages, send }) {
      for await (const message of messages) await send(message)
    },
  }),
  ...changes,
})
