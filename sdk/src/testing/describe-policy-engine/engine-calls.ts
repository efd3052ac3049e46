import { strict as assert } from 'node:assert'
import type {
  EngineDecision,
  EngineQuestion,
  PolicyEngine,
  PolicyFile,
  PolicyProblem,
  PolicyText,
} from '../../contracts/policy-engine/policy-engine.js'
import type { PolicyEngineExample } from './suite-options.js'

/** The files of an example with further ones, as the kernel hands them over. */
export const filesWith = ({ files }: PolicyEngineExample, ...further: readonly PolicyFile[]): readonly PolicyFile[] =>
  [...files, ...further].sort((one, other) => (one.name < other.name ? -1 : 1))

export const permitOnly = ({ permit }: PolicyEngineExample): readonly PolicyText[] => [{ id: 'suite-permit', text: permit }]

export const running = (): { readonly signal: AbortSignal } => ({ signal: new AbortController().signal })

export const load = (engine: PolicyEngine, version: number, files: readonly PolicyFile[], stored: readonly PolicyText[]) =>
  engine.load(structuredClone({ version, sources: { files, stored } }), running())

export async function loaded(engine: PolicyEngine, version: number, files: readonly PolicyFile[], stored: readonly PolicyText[]) {
  const answer = await load(engine, version, files, stored)
  if (answer.outcome === 'loaded') return answer
  throw new assert.AssertionError({ message: `the set was refused: ${JSON.stringify(answer.problems)}` })
}

export const decide = (engine: PolicyEngine, version: number, questions: readonly EngineQuestion[]) =>
  engine.decide(structuredClone({ version, questions }), running())

export async function decided(
  engine: PolicyEngine,
  version: number,
  questions: readonly EngineQuestion[],
): Promise<readonly EngineDecision[]> {
  const answer = await decide(engine, version, questions)
  if (answer.outcome !== 'decided') throw new assert.AssertionError({ message: `the answer is ${answer.outcome}` })
  assert.equal(answer.decisions.length, questions.length, 'the numbers of decisions and questions differ')
  return answer.decisions
}

export const allowedOf = (decisions: readonly EngineDecision[]): readonly boolean[] => decisions.map(({ allowed }) => allowed)

export function assertProblems(problems: readonly PolicyProblem[]): void {
  assert.ok(problems.length > 0, 'the list of problems is empty')
  for (const { line, column, message } of problems) {
    assert.ok(Number.isSafeInteger(line) && line >= 1, `the line is ${line}; lines begin at 1`)
    assert.ok(Number.isSafeInteger(column) && column >= 1, `the column is ${column}; columns begin at 1`)
    assert.ok(typeof message === 'string' && message.trim() !== '', 'a problem has no message')
  }
}

export const rehearse = (
  engine: PolicyEngine,
  files: readonly PolicyFile[],
  stored: readonly PolicyText[],
  questions: readonly EngineQuestion[],
) => engine.rehearse(structuredClone({ sources: { files, stored }, questions }), running())

/** What another set would decide. */
export async function rehearsed(
  engine: PolicyEngine,
  files: readonly PolicyFile[],
  stored: readonly PolicyText[],
  questions: readonly EngineQuestion[],
) {
  const answer = await rehearse(engine, files, stored, questions)
  if (answer.outcome === 'loaded') return answer
  throw new assert.AssertionError({ message: `the set was refused: ${JSON.stringify(answer.problems)}` })
}
