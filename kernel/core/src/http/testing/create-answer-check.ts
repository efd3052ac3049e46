import { defineError, type JsonValue, type TSchema, validate } from '@agent-service/sdk'
import type { HttpRoute, RouteResponse } from '@agent-service/sdk/contracts/http-route'
import type { AnswerCheck, AnswerViolation } from '../answer/answer-check.js'

/**
 * A response does not match what its route declares. Only thrown in tests, where responses are
 * checked.
 */
const answerMismatchError = defineError<{ readonly operationId: string; readonly status: number; readonly problem: string }>({
  code: 'answer_mismatch',
  status: 500,
  title: 'Answer mismatch',
  message: ({ operationId, status, problem }) =>
    `The response ${status} of ${operationId} does not match what the route declares: ${problem}`,
})

/** Makes a check without violations. */
export function createAnswerCheck(): AnswerCheck {
  const violations: AnswerViolation[] = []
  const refuse = (operationId: string, status: number, problem: string | undefined): void => {
    if (problem === undefined) return
    const violation = { operationId, status, problem }
    violations.push(violation)
    throw answerMismatchError.create(violation)
  }
  return {
    violations,
    check: (route, response) => refuse(route.operationId, response.status, problemWith(route, response)),
    checkMessage: ({ operationId, messages }, message) => {
      if (messages.kind === 'json' && message.kind === 'json') refuse(operationId, 101, problemOnWire(messages.outbound, message.json))
    },
  }
}

function problemWith(route: HttpRoute, response: RouteResponse): string | undefined {
  const declared = route.answers[response.status]
  if (!declared) return 'the status is not declared'
  if (response.kind === 'json') {
    if (!declared.schema) return 'a JSON body is not declared'
    return problemOnWire(declared.schema, response.json)
  }
  if (declared.schema && declared.contentType === undefined) return `a JSON body is declared, not ${response.kind}`
  const actual = response.kind === 'events' ? 'text/event-stream' : response.kind === 'empty' ? undefined : response.contentType
  const media = actual?.split(';')[0]
  const wanted = declared.contentType
  if (wanted === undefined && media === undefined) return undefined
  if (wanted !== undefined && media !== undefined && (wanted === media || wanted === '*/*' || wanted === 'application/octet-stream'))
    return undefined
  return `the content type ${media ?? '(none)'} is not the declared ${wanted ?? '(none)'}`
}

/** Validates the value as it is sent. */
function problemOnWire(schema: TSchema, json: JsonValue): string | undefined {
  const problems = validate(schema, JSON.parse(JSON.stringify(json)) as JsonValue)
  return problems.length === 0 ? undefined : problems.map(({ path, message }) => `${path} ${message}`).join('; ')
}
