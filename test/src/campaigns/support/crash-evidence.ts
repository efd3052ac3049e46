import { canReportOutcome } from '../../programs/effect-tools.js'
import type { JournalLine } from './effect-tools-folder.js'
import type { StoredMessage, StoredPart, StoredSummary } from './person.js'
import { textOf } from './person.js'
import type { Plan } from './planned-model.js'

/** What is left of one run once everything is over. */
export interface RunEvidence {
  readonly plan: Plan
  readonly runId: string
  readonly status: string
  readonly failure: string | undefined
  readonly messages: readonly StoredMessage[]
  readonly summaries: readonly StoredSummary[]
  /** What the person wrote while it went on. `sure`: the service said that it has it. */
  readonly notes: readonly { readonly text: string; readonly sure: boolean }[]
}

/** What those saw who are not the service. */
export interface CrashEvidence {
  readonly runs: readonly RunEvidence[]
  readonly journal: readonly JournalLine[]
  /** The keys of the receiver's effects. */
  readonly effects: ReadonlySet<string>
  /** What the model said in each attempt; by `<plan>/<turn>`. */
  readonly said: ReadonlyMap<string, readonly string[]>
  /** The summaries that the model wrote; by the name of the plan. */
  readonly summarised: ReadonlyMap<string, readonly string[]>
  /**
   * How often a person's tab saw an event; by `<name> <id of the run, the call, the message or the
   * summary>`.
   */
  readonly seen: ReadonlyMap<string, number>
  /** What a person's tab shows of a message. */
  readonly shown: (messageId: string) => string
}

/** Everything that should not have happened, a sentence each. */
export function crashProblems(evidence: CrashEvidence): readonly string[] {
  const lines = new Map<string, number[]>()
  evidence.journal.forEach(({ callId }, index) => {
    if (callId !== undefined) lines.set(callId, [...(lines.get(callId) ?? []), index])
  })
  const known = new Set<string>()
  const problems = evidence.runs.flatMap((run) =>
    [...conversationProblems(run, evidence, known, lines)].map((problem) => `${run.plan.name}: ${problem}`),
  )
  for (const callId of lines.keys())
    if (!known.has(callId)) problems.push(`the tools were called with ${callId}, which is in no conversation`)
  for (const key of evidence.effects) if (!known.has(key)) problems.push(`the receiver has the key ${key}, which is in no conversation`)
  return problems
}

function* conversationProblems(
  run: RunEvidence,
  evidence: CrashEvidence,
  known: Set<string>,
  lines: ReadonlyMap<string, readonly number[]>,
): Generator<string> {
  const { plan, messages } = run
  const wanted = plan.ends === 'answer' ? 'completed' : 'failed'
  if (run.status !== wanted) yield `it is ${run.status} (${run.failure ?? 'no failure'}), not ${wanted}`
  yield* seenOnce(evidence, `run.${run.status}`, run.runId)

  const written = messages.filter(({ role }) => role === 'user').map(textOf)
  if (written[0] !== JSON.stringify(plan)) yield 'what the person wrote first is not what is there first'
  for (const { text, sure } of [{ text: JSON.stringify(plan), sure: true }, ...run.notes]) {
    const times = written.filter((each) => each === text).length
    if (times > 1 || (sure && times === 0)) yield `“${text.slice(0, 40)}” of the person is there ${times} times`
  }
  if (written.length > 1 + run.notes.length) yield `${written.length} messages of the person are there`

  const roles = ['user', ...messages.map(({ role }) => role).filter((role) => role !== 'user')].join(' ')
  const wantedRoles = ['user', ...plan.turns.flatMap(() => ['assistant', 'tool']), 'assistant'].join(' ')
  // What is written behind the end is answered by itself.
  if (roles !== wantedRoles && !(run.notes.length > 0 && roles === `${wantedRoles} assistant`)) yield `the conversation is ${roles}`
  for (const message of messages) {
    yield* seenOnce(evidence, 'message.created', message.id)
    if (message.status === 'open') yield `the message ${message.id} is still open`
  }

  yield* summaryProblems(run, evidence)

  const answers = messages.filter(({ role }) => role === 'assistant')
  for (const [turn, message] of answers.entries()) {
    const place = `${plan.name}/${turn}`
    const text = textOf(message)
    const refused = plan.ends === 'refusal' && turn >= plan.turns.length
    const attempts = refused ? [''] : (evidence.said.get(place) ?? [])
    if (!attempts.includes(text)) yield `the text of turn ${turn} is none of the ${attempts.length} that the model gave: ${text}`
    if (evidence.shown(message.id) !== text) yield `a tab shows “${evidence.shown(message.id)}” in turn ${turn}, and “${text}” is stored`
  }

  const results = messages.filter(({ role }) => role === 'tool')
  for (const [turn, calls] of plan.turns.entries()) {
    const asked = (answers[turn]?.content ?? []).filter(({ type }) => type === 'tool_call')
    const given = (results[turn]?.content ?? []).filter(({ type }) => type === 'tool_result')
    const names = asked.map(({ name }) => name).join(' ')
    if (names !== calls.map(({ tool }) => tool).join(' ')) yield `turn ${turn} calls ${names}`
    if (asked.map(({ call_id }) => call_id).join() !== given.map(({ call_id }) => call_id).join())
      yield `the results of turn ${turn} are of other calls than it made`
    for (const result of given) {
      const callId = result.call_id ?? ''
      if (known.has(callId)) yield `${callId} has two results`
      known.add(callId)
      yield* seenOnce(evidence, 'tool_call.finished', callId)
      // A person who writes instead of answering takes the question back, and the call with it.
      if (run.notes.length > 0 && /^Not run: the person wrote/.test(textOfResult(result))) {
        if ((lines.get(callId) ?? []).some((index) => evidence.journal[index]?.kind === 'begin'))
          yield `${callId} was executed, and its result says that it was not`
        continue
      }
      yield* seenOnce(evidence, 'tool_call.started', callId)
      for (const problem of callProblems(result, evidence, lines.get(callId) ?? [])) yield `${result.name} ${callId}: ${problem}`
    }
  }
}

/** At most one summary counts for a place, and each is one that the model wrote. */
function* summaryProblems({ plan, messages, summaries }: RunEvidence, evidence: CrashEvidence): Generator<string> {
  const counting = summaries.filter(({ undone_at }) => undone_at === null)
  for (const [place, { id, until, text }] of counting.entries()) {
    if (counting.findIndex((summary) => summary.until === until) !== place) yield `two summaries stand for the messages before ${until}`
    if (counting.findIndex((summary) => summary.text === text) !== place) yield `the summary “${text.slice(0, 40)}” is there twice`
    if (until < 1 || until >= messages.length) yield `a summary stands for ${until} of ${messages.length} messages`
    if (!(evidence.summarised.get(plan.name) ?? []).includes(text)) yield `the model has not written the summary “${text.slice(0, 40)}”`
    yield* seenOnce(evidence, 'chat.summarised', id)
  }
}

function* seenOnce({ seen }: CrashEvidence, name: string, id: string): Generator<string> {
  const times = seen.get(`${name} ${id}`) ?? 0
  if (times !== 1) yield `a tab saw ${name} of ${id} ${times} times`
}

const textOfResult = ({ content = [] }: StoredPart): string => content.map((part) => part.text ?? '').join('')

/** What must hold for a call whose result is recorded; `indexes` are its lines of the journal. */
function* callProblems(result: StoredPart, { journal, effects }: CrashEvidence, indexes: readonly number[]): Generator<string> {
  const callId = result.call_id ?? ''
  const of = (kind: JournalLine['kind']): readonly number[] => indexes.filter((index) => journal[index]?.kind === kind)
  const [begins, ends] = [of('begin'), of('end')]
  const recorded = of('recorded')
  const killedBetween = (from: number, to: number): boolean => journal.slice(from, to).some(({ kind }) => kind === 'killed')
  const unknown = result.outcome === 'unknown'
  const text = textOfResult(result)

  if (recorded.length > 1) yield `its result was recorded ${recorded.length} times`
  const done = recorded[0]
  if (done !== undefined && begins.some((begin) => begin > done)) yield 'it was executed again after its result was recorded'
  for (const [place, begin] of begins.entries()) {
    const next = begins[place + 1]
    if (next !== undefined && !killedBetween(begin, next)) yield 'it was executed twice in one process'
  }
  if (unknown && begins[0] !== undefined && done !== undefined && !killedBetween(begins[0], done))
    yield 'its outcome is called unknown although nothing interrupted it'
  if (unknown && !/^Outcome unknown/.test(text)) yield `the model reads “${text}” of an unknown outcome`
  if (!unknown && text !== `${result.name} is done` && !(result.name === 'tool__checkable' && /had its effect/.test(text)))
    yield `the model reads “${text}”`

  switch (result.name) {
    case 'tool__read':
    case 'tool__idempotent':
      if (unknown) yield 'its outcome is called unknown although it may run again'
      if (ends.length === 0) yield 'it has a result and never ended'
      if (result.name === 'tool__idempotent' && !effects.has(callId)) yield 'the receiver has no effect of it'
      return
    case 'tool__checkable':
      if (of('effect').length > 1) yield `it had ${of('effect').length} effects`
      if (unknown && canReportOutcome(callId)) yield 'its outcome is called unknown although it can be asked'
      if (!unknown && of('effect').length !== 1) yield `it had ${of('effect').length} effects and a result`
      return
    default:
      if (begins.length > 1) yield `it was executed ${begins.length} times`
      if (of('effect').length > 1) yield `it had ${of('effect').length} effects`
      if (!unknown && ends.length !== 1) yield `it has the result of ${ends.length} executions`
  }
}
