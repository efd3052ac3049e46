import fc from 'fast-check'
import { type DescribedRequest, describedRequests, seenTexts } from '../bad-input/support/described-requests.js'
import type { HostileTarget } from '../bad-input/support/hostile-target.js'
import { requestBytes, sendBytes } from '../bad-input/support/raw-http.js'
import { createSchemaChecker, expectDescribed, readDescription } from '../support/api-description.js'

/**
 * They end sessions or accounts of the test, change the service itself, copy everything, call
 * vendors, which are not there, delay guesses of a password, or stream without an end; other tests
 * cover them.
 */
const leftOut: ReadonlySet<string> = new Set([
  ...['logout', 'endSession', 'changePassword', 'changeUsername', 'changeUser', 'deleteUser', 'register', 'createPolicy', 'changePolicy'],
  ...['enablePlugin', 'disablePlugin', 'createBackup', 'restart', 'changeConfiguration', 'refreshCatalogue'],
  ...['beginAccountSignIn', 'testCredential', 'createChatCompletion', 'createResponse', 'createEmbeddings', 'compactChat'],
  ...['login', 'confirmSession', 'streamEvents'],
])

/** Another system failed, or the service is too busy: not the service's own fault, where it is described. */
const excused: ReadonlySet<number> = new Set([502, 503, 504])
/** Names that cannot be resolved here, and addresses that cannot be reached, take their time. */
const limitMs = 40_000

/** How often each status was seen, and which operations succeeded. */
export interface DescribedAnswers {
  readonly statuses: ReadonlyMap<number, number>
  readonly succeeded: ReadonlySet<string>
}

/**
 * Sends requests that are made from the OpenAPI document alone. Each answer has a status, and where
 * it is a problem a code, that its operation describes, and a body that fits its schema; none is
 * 5xx but 502, 503 and 504. @throws with the smallest request of which this does not hold.
 */
export async function sendDescribedRequests(
  target: HostileTarget,
  options: { readonly seed: number; readonly requests: number; readonly seconds: number },
): Promise<DescribedAnswers> {
  const description = await readDescription(target.url)
  const checker = createSchemaChecker(description)
  const statuses = new Map<number, number>()
  const succeeded = new Set<string>()
  const seen = await seenTexts(description, { user: target.ada, admin: target.admin })
  const tokens = { user: target.ada.token, admin: target.admin.token, nobody: undefined }
  const check = async ({ operation, method, target: path, caller, headers, body, from }: DescribedRequest): Promise<void> => {
    const bytes = requestBytes(path, { method, token: tokens[caller], headers, ...(body !== undefined && { body: Buffer.from(body) }) })
    const answer = await sendBytes(target.url, bytes, { from, limitMs })
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status < 300) succeeded.add(operation.operationId)
    if (answer.status === 0 || (answer.status >= 500 && !excused.has(answer.status)))
      throw new Error(`${method} ${path}: ${answer.text.slice(0, 500)}`)
    expectDescribed(checker, { operation }, { status: answer.status, contentType: answer.headers['content-type'], body: answer.body })
  }
  await fc.assert(fc.asyncProperty(describedRequests(description, { seen, leftOut }), check), {
    ...{ seed: options.seed, numRuns: options.requests, interruptAfterTimeLimit: options.seconds * 1_000 },
    ...{ markInterruptAsFailure: false, endOnFailure: true },
  })
  return { statuses, succeeded }
}
