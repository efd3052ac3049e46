import { isAdmin, whenText } from '@agent-service/sdk/web'
import type { Schemas } from '../api/index.js'
import { t } from './texts.js'

type Failure = Schemas['Failure']
type Key = Parameters<typeof t>[0]

/** What a failure means, and how to go on. */
export interface FailureWords {
  readonly title: string
  readonly help: string
}

/** What happened, and what helps. */
interface Words {
  readonly title: Key
  readonly help: Key
  /** What a person who is no administrator is told instead. */
  readonly forOthers?: Key
  /** An administrator can do something about it where connections are. */
  readonly ofConnection?: true
}

const keyRefused: Words = { title: 'authentication', help: 'authentication_help', forOthers: 'ask_for_key', ofConnection: true }
const keyMissing: Words = { ...keyRefused, title: 'credential_missing' }
const modelUnusable: Words = { title: 'model_group_unusable', help: 'model_group_unusable_help', ofConnection: true }
const contentRefused: Words = { title: 'content_filtered', help: 'content_filtered_help' }
const brokenOff: Words = { title: 'answer_broken', help: 'answer_broken_help' }
const faulty: Words = { title: 'server_error', help: 'server_error_help', ofConnection: true }

/** By the kind of failure of a model call, else by the code of the failure. */
const words: Readonly<Record<string, Words>> = {
  authentication: keyRefused,
  quota_exceeded: { title: 'quota_exceeded', help: 'quota_exceeded_help', forOthers: 'ask_for_credit', ofConnection: true },
  rate_limited: { title: 'rate_limited', help: 'rate_limited_help', ofConnection: true },
  overloaded: { title: 'overloaded', help: 'overloaded_help', ofConnection: true },
  transport: { title: 'transport', help: 'transport_help', forOthers: 'ask_administrator', ofConnection: true },
  timeout: { title: 'timeout', help: 'timeout_help', ofConnection: true },
  truncated: brokenOff,
  context_overflow: { title: 'context_overflow', help: 'context_overflow_help' },
  bad_request: { title: 'bad_request', help: 'bad_request_help', ofConnection: true },
  model_not_found: { title: 'model_not_found', help: 'model_not_found_help', forOthers: 'ask_for_model', ofConnection: true },
  content_filtered: contentRefused,
  invalid_response: { title: 'invalid_response', help: 'invalid_response_help', ofConnection: true },
  answer_broken: brokenOff,
  answer_cut: { title: 'answer_cut', help: 'answer_cut_help' },
  answer_empty: { title: 'answer_empty', help: 'answer_empty_help' },
  answer_too_long: { title: 'answer_too_long', help: 'answer_too_long_help' },
  answer_withheld: contentRefused,
  budget_exceeded: { title: 'budget_exceeded', help: 'budget_exceeded_help' },
  credential_missing: keyMissing,
  credential_unusable: keyMissing,
  internal_error: { title: 'internal_error', help: 'internal_error_help' },
  model_group_unknown: modelUnusable,
  model_group_unusable: modelUnusable,
  tool_turn_limit: { title: 'tool_turn_limit', help: 'tool_turn_limit_help' },
  unsupported_by_model: modelUnusable,
}

const unknown: Words = { title: 'failed', help: 'failed_help' }

/** Statuses of vendors that have too much to do, among those of servers. */
const busyStatuses: ReadonlySet<number> = new Set([503, 529])

function wordsOf({ code, provider_failure: kind = code, http_status: status = 0 }: Failure): Words {
  if (kind === 'overloaded' && status >= 500 && !busyStatuses.has(status)) return faulty
  return words[kind] ?? words[code] ?? unknown
}

/** A failure in the words of the person. `endedAt`: when the run ended, from which the vendor’s wait counts. */
export function failureWords(failure: Failure, endedAt: string | null): FailureWords {
  const { title, help, forOthers } = wordsOf(failure)
  const { retry_after_secs: wait } = failure
  if (help === 'rate_limited_help' && wait !== undefined && endedAt !== null)
    return { title: t(title), help: t('rate_limited_until', { time: whenText(Date.parse(endedAt) + wait * 1_000) }) }
  return { title: t(title), help: t(forOthers !== undefined && !isAdmin() ? forOthers : help) }
}

/** Why a model call is made again, in a few words. */
export const causeWords = (kind: string): string => t((words[kind] ?? unknown).title)

/** Whether an administrator can do something about it where connections are. */
export const isAboutConnection = (failure: Failure): boolean => wordsOf(failure).ofConnection === true
