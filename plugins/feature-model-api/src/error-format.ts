import type { Problem } from '@agent-service/sdk'
import { defineErrorFormat, type FormattableError } from '@agent-service/sdk/contracts/http-error-format'
import { cureOf, mistakenPrefixes } from './misplaced-paths.js'
import { openAiError } from './openai-error.js'

/**
 * Every error below `/v1` as an `error` object, and so those of clients whose base URL is another one. What they send
 * beside the protocol does not matter to other servers either.
 */
export const openAiErrorFormat = defineErrorFormat({
  prefix: '/v1',
  lenient: true,
  mistaken: mistakenPrefixes,
  format(error) {
    const status = statusOf(error)
    const { code, path, problems } = error
    const cure = cureOf(code, path)
    const message = cure === undefined ? messageOf(error) : `${messageOf(error)} ${cure}`
    return {
      members: openAiError({ status, code, message, param: problems[0] ? paramOf(problems[0]) : null }),
      status,
      headers: { 'x-should-retry': String(mayRetry(status, code)) },
    }
  },
})

/** Statuses from 400 to 499 of which clients know whether to retry. */
const knownStatuses: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 408, 409, 413, 429])
/** Conflicts that end by themselves. */
const passing: ReadonlySet<string> = new Set(['run_in_progress', 'idempotency_in_progress', 'conflict'])
/** Failures of the service that a retry would only repeat. */
const lasting: ReadonlySet<string> = new Set(['answer_overdue'])

/**
 * Clients retry 409, and some of them each status that they do not know. A request that would fail
 * again gets 400.
 */
function statusOf({ status, code }: FormattableError): number {
  if (status >= 500) return status
  if (status === 409 && !passing.has(code)) return 400
  return knownStatuses.has(status) ? status : 400
}

const mayRetry = (status: number, code: string): boolean => [408, 409, 429].includes(status) || (status >= 500 && !lasting.has(code))

/** The sentence of the service, which names the first parameter that is wrong, with that name as clients write it. */
function messageOf({ detail, problems: [first] }: FormattableError): string {
  const param = first && paramOf(first)
  return first && param ? detail.replace(first.path, () => param) : detail
}

/** `/messages/0/content` → `messages[0].content`. Null for the whole request. */
function paramOf({ path }: Problem): string | null {
  if (!path.startsWith('/')) return path
  const names = path
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce((text, name) => (/^\d+$/.test(name) ? `${text}[${name}]` : text === '' ? name : `${text}.${name}`), '') || null
}
