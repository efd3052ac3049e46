import { expect } from 'chai'
import fc from 'fast-check'
import { expectProblem } from '../bad-input/support/expect-problem.js'
import { startHostileTarget } from '../bad-input/support/hostile-target.js'
import { readOperations } from '../bad-input/support/operations.js'
import { randomRequests } from '../bad-input/support/random-requests.js'
import { sendBytes } from '../bad-input/support/raw-http.js'
import { sendDescribedRequests } from './described-requests.js'
import type { CampaignOptions } from './index.js'

const requestsOfShortForm = 700
/** Made from the description alone. */
const describedRequests = { short: 300, full: 10_000 }
/** Another system failed, or a part of the service is not there. */
const elsewhere: ReadonlySet<number> = new Set([502, 503, 504])
/**
 * They change the service itself, copy everything, call other services, delay password guesses, or
 * answer with pages and alike for every link that does not work; other tests cover them.
 */
const leftOut = new Set([
  'enablePlugin',
  'disablePlugin',
  'createBackup',
  'refreshCatalogue',
  'beginAccountSignIn',
  'testCredential',
  'confirmSession',
  'getSharedContent',
  'getSharedPage',
  'showUnsubscribe',
  'unsubscribe',
])

/**
 * Sends random requests to the whole service: 300 that are made from its description, and 700 that
 * may be anything; in full, 10,000 of the first kind and then as many of the second as there is
 * time for. Each has to be answered as described, never as a fault of the service, never with silence. Resolves with
 * how often each status was seen. @throws with the smallest request that is not.
 */
export async function run({ seed, seconds, full, print }: CampaignOptions): Promise<ReadonlyMap<number, number>> {
  const target = await startHostileTarget({ httpLimits: { maxBodyIdleMs: 300, maxJsonArrivalMs: 600, headersTimeoutMs: 500 } })
  const seen = new Map<number, number>()
  try {
    const requests = full ? describedRequests.full : describedRequests.short
    const { statuses, succeeded } = await sendDescribedRequests(target, { seed, requests, seconds: Math.max(seconds, 30) })
    for (const [status, count] of statuses) seen.set(status, count)
    print(`${requests} requests of the description; these operations succeeded: ${[...succeeded].sort().join(', ')}`)
    const operations = (await readOperations(target.url)).filter(({ id }) => !leftOut.has(id))
    const limits = full ? { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: seconds * 1000 } : { numRuns: requestsOfShortForm }
    await fc.assert(
      fc.asyncProperty(randomRequests(operations, target), async (request) => {
        const answer = await sendBytes(target.url, request.bytes, { from: request.from, endWrites: request.cut, limitMs: 40_000 })
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
        const what = `${JSON.stringify(Buffer.from(request.bytes).toString('latin1').slice(0, 2_000))} → ${answer.text.slice(0, 500)}`
        // A request that was cut may end without an answer, any other may not.
        if (answer.status === 0) expect(request.cut, what).to.equal(true)
        // An address in the request may be one that cannot be reached, and a part of the service may
        // not be set up; the log has an error for what the operation does not declare.
        if (!elsewhere.has(answer.status)) expect(answer.status, what).to.be.below(500)
        if (answer.status >= 400 && request.method !== 'HEAD') expectProblem(answer, what)
        else if (answer.status >= 400) expect(answer.headers['content-type'], what).to.equal('application/problem+json')
      }),
      { seed, ...limits, markInterruptAsFailure: false, endOnFailure: true },
    )
    expect(target.kernel.answers.violations).to.deep.equal([])
    expect(target.kernel.log.filter(({ level }) => level === 'error' || level === 50)).to.deep.equal([])
    expect((await target.send('/readyz')).status).to.equal(200)
  } finally {
    await target.close()
  }
  print([...seen].map(([status, count]) => `${status} ×${count}`).join(', '))
  return seen
}
