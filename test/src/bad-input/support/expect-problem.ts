import { expect } from 'chai'
import type { RawAnswer } from './raw-http.js'

/** What an error answer says to its client. */
export interface ProblemBody {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly request_id: string
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
  /** The same once more, as clients of the model endpoints read it. */
  readonly error?: { readonly message: string; readonly code: string }
}

const known = ['type', 'title', 'status', 'detail', 'code', 'request_id', 'errors']
/**
 * What only the inside of the service can have said: stacks, files, packages, names of its
 * functions.
 */
const internal =
  /\bat .+:\d+:\d+|node_modules|node:internal|\.[jt]s\b|\/dist\/|\/home\/|\/tmp\/|SQLITE|TypeError|RangeError|SyntaxError|undefined/

/**
 * The status of an error at a path. Clients of the model endpoints would send a request again after
 * 415 and 422.
 */
export const statusAt = (path: string, status: number): number =>
  path.startsWith('/v1/') && (status === 415 || status === 422) ? 400 : status

/** The code of a thing that does not exist: that of the protocol for the models of one. */
export const notFoundCode = (path: string): string => (path.startsWith('/v1/models/') ? 'model_not_found' : 'not_found')

/** Expects a well-formed problem that reveals nothing internal; returns its body. */
export function expectProblem(answer: RawAnswer, what: string): ProblemBody {
  expect(answer.headers['content-type'], `${what}: ${answer.text.slice(0, 300)}`).to.equal('application/problem+json')
  const problem = JSON.parse(answer.body) as ProblemBody
  const more = Object.keys(problem).filter((name) => !known.includes(name))
  if (problem.error === undefined) expect(more, what).to.deep.equal([])
  else {
    expect(more, what).to.deep.equal(['error'])
    expect(Object.keys(problem.error), what).to.deep.equal(['message', 'type', 'param', 'code'])
    expect(problem.error.code, what).to.equal(problem.code)
    // Clients of the model endpoints show the message alone, so that of a validation names the
    // first problem.
    if (problem.code === 'invalid_request') expect(problem.error.message, what).to.contain(problem.errors?.[0]?.message)
    // What to change about a path or a credential may follow.
    else expect(problem.error.message, what).to.satisfy((message: string) => message.startsWith(problem.detail))
  }
  expect(problem.status, what).to.equal(answer.status)
  expect(problem.code, what).to.match(/^[a-z][a-z0-9_]*$/)
  expect(problem.detail, what).to.be.a('string').and.not.equal('')
  expect(problem.request_id, what).to.equal(answer.headers['x-request-id'])
  expect(internal.exec(answer.body)?.[0], what).to.equal(undefined)
  return problem
}
