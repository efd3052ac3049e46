import type { Operation } from '../../../bad-input/support/operations.js'
import { ask } from './asking.js'
import { type MarkedRequest, requestWith } from './requests.js'
import type { Owner } from './world.js'

/**
 * Streams, what needs the browser or a sign-in under way, what the memory in use does not have, and what is of the
 * service: when its memory was swept.
 */
const leftOut: ReadonlySet<string> = new Set([
  'streamEvents',
  'streamProcessOutput',
  'getBrowserScreenshot',
  'returnFromCredentialSignIn',
  'listMemoryPasses',
  'getMemoryStatus',
])

/** When something was used last, which also changes by the own requests of the test. */
const lastUsed = /\\"last_(used|seen)_at\\":(\\"[^"]*\\"|null)/g

/** Every answer that a person can read of what is theirs, by its request: to be compared before and after. */
export async function everythingOf(
  owner: Owner,
  operations: readonly Operation[],
  requests: readonly MarkedRequest[],
): Promise<Readonly<Record<string, string>>> {
  const plain = operations
    .filter(({ method, path, auth, parameters }) => {
      const isWhole = !path.includes('{') && !parameters.some(({ name }) => ['path', 'name', 'q', 'cron'].includes(name))
      return method === 'GET' && auth === 'user' && isWhole
    })
    .map((operation): MarkedRequest => ({ operation, target: operation.path, body: undefined, headers: {}, kinds: [] }))
  const reads = [...plain, ...requests].filter(
    ({ operation }) => operation.method === 'GET' && operation.auth === 'user' && !leftOut.has(operation.id),
  )
  const answers: Record<string, string> = {}
  for (const request of reads) {
    const idOf = (kind: keyof Owner['documents']) => owner.documents[kind]
    const { status, text } = await ask(owner.url, request, idOf, { authorization: `Bearer ${owner.token}` })
    if (status !== 200) throw new Error(`${request.operation.id} ${request.target} answered ${status}: ${text}`)
    answers[requestWith(request, idOf).target] = text.replace(lastUsed, '')
  }
  return answers
}
