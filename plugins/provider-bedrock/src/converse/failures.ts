import type { JsonObject } from '@agent-service/sdk'
import {
  callFailure,
  classifyFailure,
  createResponseHeaders,
  type ErrorBody,
  type FailureSign,
  isObject,
  numberAt,
  type Refusal,
  readErrorText,
  textAt,
} from '@agent-service/sdk/provider-kit'

/** Signs in this vendor's types and texts, beyond those that all vendors share. */
export const bedrockSigns: readonly FailureSign[] = [
  { failure: 'quota_exceeded', codes: ['servicequotaexceededexception'], text: /too many tokens per day|daily (token )?(quota|limit)/i },
  {
    failure: 'context_overflow',
    text: /input tokens exceeded|number of input tokens exceeds|too many input tokens|input is too long|prompt is too long|exceeds? the (model'?s? )?maximum (context|input)/i,
    exceptStatuses: [401, 403, 404, 429],
  },
  { failure: 'content_filtered', text: /blocked by (our )?content filter|content filtering policy/i },
  {
    failure: 'model_not_found',
    codes: ['resourcenotfoundexception'],
    text: /model identifier is invalid|on-demand throughput (isn.t|is not) supported|reached the end of its life|model version is not supported/i,
  },
  { failure: 'rate_limited', codes: ['throttlingexception', 'throttling', 'toomanyrequestsexception', 'requestlimitexceeded'] },
  {
    failure: 'overloaded',
    codes: [
      'modelnotreadyexception',
      'modelerrorexception',
      'modelstreamerrorexception',
      'modeltimeoutexception',
      'internalserverexception',
      'internalfailure',
      'serviceunavailableexception',
      'serviceunavailable',
    ],
  },
  {
    failure: 'authentication',
    codes: [
      'accessdeniedexception',
      'unrecognizedclientexception',
      'expiredtokenexception',
      'expiredtoken',
      'invalidsignatureexception',
      'signaturedoesnotmatch',
      'incompletesignature',
      'invalidclienttokenid',
      'missingauthenticationtoken',
      'missingauthenticationtokenexception',
      'optinrequired',
    ],
  },
]

/** The HTTP status that corresponds to an exception inside a stream. */
const statuses: Readonly<Record<string, number>> = {
  validationexception: 400,
  servicequotaexceededexception: 400,
  accessdeniedexception: 403,
  expiredtokenexception: 403,
  resourcenotfoundexception: 404,
  modeltimeoutexception: 408,
  modelerrorexception: 424,
  modelstreamerrorexception: 424,
  throttlingexception: 429,
  modelnotreadyexception: 429,
  internalserverexception: 500,
  serviceunavailableexception: 503,
}

/**
 * Reads a refusal: the type from `x-amzn-errortype` or `__type`, the words from `message` or
 * `Message`.
 */
export function readBedrockError({ headers, text }: Pick<Refusal, 'headers' | 'text'>): ErrorBody {
  const body = readErrorText(text)
  const type = headers.get('x-amzn-errortype') ?? textAt(body.raw, '__type')
  const message = textAt(body.raw, 'message') ?? textAt(body.raw, 'Message') ?? body.message
  return { ...body, message, codes: [...(type === undefined ? [] : [typeName(type)]), ...body.codes] }
}

/**
 * `ValidationException:http://…` and `com.amazon.coral.service#ValidationException` are both
 * `validationexception`.
 */
const typeName = (type: string): string => (type.split('#').at(-1) ?? '').split(':')[0]?.trim().toLowerCase() ?? ''

/** Fails for a frame that is an exception or an error. @throws a call failure. */
export function failWithFrame(data: JsonObject): never {
  const code = (textAt(data, 'type') ?? textAt(data, 'code') ?? 'exception').toLowerCase()
  const original = textAt(data, 'originalMessage')
  const words = textAt(data, 'message') ?? textAt(data, 'Message') ?? `The stream failed with ${code}.`
  const body: ErrorBody = {
    message: original === undefined || words.includes(original) ? words : `${words} (${original})`,
    codes: [code],
    status: numberAt(data, 'originalStatusCode') ?? statuses[code],
    raw: data,
  }
  throw callFailure(classifyFailure({ status: 200, headers: createResponseHeaders({}), body, now: Date.now(), signs: bedrockSigns }))
}

/** Fails if an answer with status 200 contains an error. @throws a call failure. */
export function failIfError(answer: JsonObject): void {
  if (isObject(answer['output'])) return
  const isError = ['message', 'Message', '__type', 'error'].some((name) => answer[name] !== undefined)
  if (!isError) return
  const body = readBedrockError({ headers: createResponseHeaders({}), text: JSON.stringify(answer) })
  const status = body.status ?? statuses[body.codes[0] ?? '']
  throw callFailure(
    classifyFailure({ status: 200, headers: createResponseHeaders({}), body: { ...body, status }, now: Date.now(), signs: bedrockSigns }),
  )
}

/** The types for credentials that expired or are unknown. */
const staleTypes: ReadonlySet<string> = new Set([
  'expiredtokenexception',
  'expiredtoken',
  'unrecognizedclientexception',
  'invalidclienttokenid',
])

/** The types for a wrong signature; the clocks may differ. */
const signatureTypes: ReadonlySet<string> = new Set([
  'invalidsignatureexception',
  'signaturedoesnotmatch',
  'requesttimetooskewed',
  'requestexpired',
])

/** What a refusal says about the signature. */
export function signatureProblem(refusal: Refusal): 'stale_credentials' | 'wrong_signature' | undefined {
  const { codes } = readBedrockError(refusal)
  if (codes.some((code) => staleTypes.has(code))) return 'stale_credentials'
  return codes.some((code) => signatureTypes.has(code)) ? 'wrong_signature' : undefined
}
