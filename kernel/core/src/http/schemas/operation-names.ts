import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'

/** `createChat` → `CreateChat`, `run.started` → `RunStarted`, `tool-dice` → `ToolDice`. */
export const pascalCaseOf = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** The name of a body that its author gave none: that of the operation. */
export const bodyNameOf = ({ operationId }: Pick<HttpRoute, 'operationId'>): string => pascalCaseOf(operationId)

/** The name of an answer that its author gave none: `CreateChatResult`, or with the status of a further one. */
export function answerNameOf({ operationId, answers }: Pick<HttpRoute, 'operationId' | 'answers'>, status: string): string {
  const [first] = Object.entries(answers).flatMap(([each, { schema }]) => (schema ? [each] : []))
  return `${pascalCaseOf(operationId)}Result${first === status ? '' : status}`
}

/** The name of a message of a WebSocket. */
export const messageNameOf = (operationId: string, direction: 'Inbound' | 'Outbound'): string => `${pascalCaseOf(operationId)}${direction}`

/** The name of the data of a type of event. */
export const eventDataNameOf = (event: string): string => `${pascalCaseOf(event)}EventData`
