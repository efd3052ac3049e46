import { type GermanReasons, germanOf } from '../german-of.js'
import { germanProblems, germanStatuses } from './codes-de.js'
import { plainProblems } from './codes-en.js'
import { germanFields } from './fields-de.js'

/** What an answer of the service says of a failure, as far as it has words. */
export interface SaidProblem {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly errors: readonly { readonly path: string; readonly message: string }[]
}

/** The same for people. `said`: the service's own words, where others are only general. */
export interface ProblemWords {
  readonly detail: string
  readonly said: string | undefined
  readonly errors: SaidProblem['errors']
}

/** What people read of a problem in English: what the service says, unless it speaks to programs. */
export const plainProblem = ({ code, detail, errors }: SaidProblem): ProblemWords => ({
  detail: (Object.hasOwn(plainProblems, code) ? plainProblems[code] : undefined) ?? detail,
  said: undefined,
  errors,
})

export function germanProblem({ status, code, detail, errors }: SaidProblem): ProblemWords {
  const german = errors.map(({ path, message }) => ({ path, message: germanOf(germanFields, message) ?? message }))
  const [sentence, first] = parted(detail, errors[0])
  const words = wordsOf(status, code, sentence)
  const place = german[0]?.path === '/' ? '' : `${german[0]?.path} `
  return {
    detail: first === undefined ? words.text : `${words.text} ${place}${german[0]?.message}.`,
    said: words.isGeneral ? sentence : undefined,
    errors: german,
  }
}

function wordsOf(status: number, code: string, sentence: string): { readonly text: string; readonly isGeneral: boolean } {
  const known = Object.hasOwn(germanProblems, code) ? germanProblems[code] : undefined
  if (typeof known === 'string') return { text: known, isGeneral: false }
  const [general, ...exact] = known ?? [ofStatus(status)]
  const text = germanOf(exact as GermanReasons, sentence)
  return text === undefined ? { text: general, isGeneral: true } : { text, isGeneral: false }
}

const ofStatus = (status: number): string =>
  germanStatuses.find(([from, to]) => status >= from && status <= to)?.[2] ?? 'Das hat nicht geklappt.'

/** The service puts the first problem of a field behind its sentence. */
function parted(detail: string, first: SaidProblem['errors'][number] | undefined): readonly [sentence: string, problem?: string] {
  if (first === undefined) return [detail]
  const problem = `${first.path === '/' ? 'The whole' : first.path} ${first.message}`
  const at = detail.indexOf(` ${problem}`)
  return at < 0 ? [detail] : [detail.slice(0, at), problem]
}
