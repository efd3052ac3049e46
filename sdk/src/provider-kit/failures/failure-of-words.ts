import type { JsonObject } from '../../core/json.js'
import { createResponseHeaders, type ResponseHeaders } from '../transport/upstream-response.js'
import { type CallFailure, callFailure } from './call-failure.js'
import { classifyFailure, type FailureSign, signOf, statusIn } from './classify.js'
import { type ErrorBody, readErrorValue } from './error-body.js'
import type { FailureReport } from './failure-report.js'
import { pageReason, pageReport, readWebPage, textOfMarkup } from './web-page.js'

/** The parts of a call that know the family's errors. */
export interface FailureReader {
  readonly signs?: readonly FailureSign[]
  readError?(refusal: { readonly status: number; readonly headers: ResponseHeaders; readonly text: string }): ErrorBody
}

const headers = createResponseHeaders({})
const statusOfStream = 200

/** The failure that a document inside an answer with status 200 reports, in the vendor's words. */
export function failureOfDocument(document: JsonObject, failures: FailureReader): CallFailure {
  const { signs } = failures
  const body = failures.readError?.({ status: statusOfStream, headers, text: JSON.stringify(document) }) ?? readErrorValue(document)
  return callFailure(classifyFailure({ status: statusOfStream, headers, body, now: Date.now(), ...(signs && { signs }) }))
}

/**
 * The failure for an answer that has text instead of its end. Words whose meaning is known decide
 * about it; otherwise it is `unknown`, with the words added.
 */
export function failureOfWords(words: string, unknown: FailureReport, { signs }: FailureReader, cause?: unknown): CallFailure {
  const start = words.search(/<(!doctype|html)\b/i)
  const page = readWebPage(start > 0 ? words.slice(start) : words)
  const message = page ? textOfMarkup(words) : words.trim()
  const body: ErrorBody = { message, codes: [], status: page?.status, raw: undefined }
  const isKnown = page?.status !== undefined || signOf(body, statusIn(message), signs) !== undefined || statusIn(message) !== undefined
  const report = isKnown
    ? classifyFailure({ status: statusOfStream, headers, body, now: Date.now(), ...(signs && { signs }) })
    : page
      ? pageReport(page)
      : unknown
  if (!isKnown) return callFailure({ ...report, reason: withWords(report.reason, message) }, cause)
  return callFailure(page ? { ...report, reason: withWords(pageReason(page), message) } : report, cause)
}

const withWords = (reason: string, words: string): string =>
  words === '' || reason.includes(words) || reason.includes(`“${words.slice(0, 80)}`) ? reason : `${reason} It says: “${words}”`
