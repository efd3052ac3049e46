import type { JsonObject, JsonValue } from '../../core/json.js'
import { isObject, listAt, objectAt, textAt } from '../common/json.js'
import { wordNames } from './error-body.js'

/** Members in which answers have their content; with one of them a document is an answer, whatever else it says. */
const contentNames = ['choices', 'candidates', 'content', 'output', 'delta', 'response', 'item', 'part', 'text'] as const

/**
 * Whether a document of an answer is an error, in one of the forms that vendors, their frameworks and
 * gateways have. `certain`: it says so. `possible`: it has words for people and no content, so that
 * they explain an answer that turns out to be none.
 */
export function errorIn(document: JsonObject): 'certain' | 'possible' | undefined {
  if (saysError(document)) return 'certain'
  const type = textAt(document, 'type')
  // A typed event of a protocol; `about:blank` and addresses are types of RFC 9457.
  if (type !== undefined && !type.includes(':') && !isFaultName(type)) return undefined
  if (objectAt(document, 'message') || contentNames.some((name) => hasContent(document[name]))) return undefined
  const hasWords =
    wordNames.some((name) => textAt(document, name) !== undefined) ||
    listAt(document, 'detail').length + listAt(document, 'errors').length > 0
  if (!hasWords) return undefined
  return isMarked(document) ? 'certain' : 'possible'
}

/** Whether a document names an error as such. */
export function saysError(document: JsonObject): boolean {
  const { error } = document
  const outcome = objectAt(document, 'base_resp')?.['status_code']
  return (
    (typeof error === 'string' && error !== '') ||
    // Some gateways send an error without anything in it beside each answer.
    (isObject(error) && Object.values(error).some(hasContent)) ||
    document['type'] === 'error' ||
    document['object'] === 'error' ||
    (typeof outcome === 'number' && outcome !== 0)
  )
}

/** A code, a status or a name that means a failure. */
function isMarked(document: JsonObject): boolean {
  const codes = [document['code'], document['error_code'], document['errorCode']].filter((code) => code !== undefined && code !== null)
  const statuses = [document['status'], document['statusCode'], document['status_code']]
  return (
    codes.some((code) => !['', '0', '200', 'ok', 'success'].includes(String(code).toLowerCase())) ||
    statuses.some((status) => Number(status) >= 400 || status === 'error' || status === 'failed') ||
    document['success'] === false ||
    isFaultName(textAt(document, 'type') ?? '')
  )
}

const isFaultName = (name: string): boolean => /(error|exception|failure)$/i.test(name)

const hasContent = (value: JsonValue | undefined): boolean => {
  if (Array.isArray(value)) return value.length > 0
  if (isObject(value)) return Object.keys(value).length > 0
  return value !== undefined && value !== null && value !== '' && value !== 0 && value !== false
}
