import { idOf } from '../common/ids.js'
import { normalText } from '../common/text.js'
import type { Ontology } from '../ontology/ontology.js'
import { mentionWeight } from '../read/score.js'
import { later, playbook, shortMemory, statement, subjectPage, withEvidence } from '../store/make-memory.js'
import { normalTextOf } from '../store/normal-text.js'
import type { ConsolidationPass } from '../store/pass-records.js'
import type { ShortMemory, Statement, StoredMemory } from '../store/records.js'
import { scopeKey } from '../store/scope-key.js'
import type { MemoryView } from '../store/user-memories.js'
import { emptied } from '../write/emptied.js'
import { plainBody, standing } from '../write/page-body.js'
import type { Claim, Classification, PlaybookCandidate, Reconciliation, StageResults } from './stage-results.js'
import { isSelf, subjectKey } from './subject-names.js'
import { chosenTerm } from './term-choices.js'

/** Everything that the stages have found out, as far as they have come. */
export type PlannedResults = StageResults & Required<Pick<StageResults, 'extract' | 'classify' | 'resolve' | 'reconcile'>>

/** What a pass changes. */
export interface PlannedChanges {
  /** The memories that are new or different, by their ids. */
  readonly puts: ReadonlyMap<string, StoredMemory>
  /** The ids of pages whose statements have changed. */
  readonly pages: ReadonlySet<string>
  /** All memories as they are afterwards. */
  memories(): Iterable<StoredMemory>
}

const personWeight = 0.8
const agentWeight = 0.5
const confidence = { said: 0.9, disputed: 0.5 }
const maxAliases = 20

/**
 * Works out what a pass changes: the same from the same memories and results, so that a repeated
 * commit changes nothing twice. Statements are closed and never deleted; what a person has corrected
 * or pinned is only asked about.
 */
export function planChanges(view: MemoryView, pass: ConsolidationPass, results: PlannedResults, ontology: Ontology): PlannedChanges {
  const plan = createPlan(view, pass, results, ontology)
  const { claims } = results.extract
  const durable = new Map(results.classify.durable.map((each) => [each.claim, each]))
  const decisions = new Map(results.reconcile.decisions.map((each) => [each.claim, each]))
  for (const [index, claim] of claims.entries()) {
    const classified = durable.get(index)
    if (decisions.get(index)?.action === 'drop') continue
    if (classified) applyDurable(plan, claim, classified, decisions.get(index))
    else applyShort(plan, index, claim, null)
  }
  for (const [index, candidate] of results.extract.playbooks.entries())
    if (!results.reconcile.buried_playbooks.includes(index)) applyPlaybook(plan, index, candidate)
  for (const id of plan.pages) writeBody(plan, id)
  return { puts: plan.puts, pages: plan.pages, memories: () => plan.all() }
}

interface Plan {
  readonly pass: ConsolidationPass
  readonly results: PlannedResults
  readonly ontology: Ontology
  readonly puts: Map<string, StoredMemory>
  readonly pages: Set<string>
  readonly shorts: ShortIndex
  get(id: string): StoredMemory | undefined
  put(memory: StoredMemory): void
  all(): Iterable<StoredMemory>
}

function createPlan(view: MemoryView, pass: ConsolidationPass, results: PlannedResults, ontology: Ontology): Plan {
  const puts = new Map<string, StoredMemory>()
  const all = new Map(view.memories)
  const shorts = indexShorts(view, scopeKey(pass.scope))
  return {
    ...{ pass, results, ontology, puts, shorts, pages: new Set<string>() },
    get: (id) => all.get(id),
    put(memory) {
      puts.set(memory.memory_id, memory)
      all.set(memory.memory_id, memory)
      if (memory.type === 'short') noteShort(shorts, memory)
    },
    all: () => all.values(),
  }
}

/** The short memories of the scope of a pass, to be found at once. */
interface ShortIndex {
  readonly byText: Map<string, string>
  readonly byStatement: Map<string, Set<string>>
}

function indexShorts({ memories }: MemoryView, scope: string): ShortIndex {
  const index: ShortIndex = { byText: new Map(), byStatement: new Map() }
  for (const memory of memories.values()) if (memory.type === 'short' && scopeKey(memory.scope) === scope) noteShort(index, memory)
  return index
}

function noteShort({ byText, byStatement }: ShortIndex, memory: ShortMemory): void {
  if (memory.forgotten) return
  if (memory.valid_to === null) byText.set(normalTextOf(memory), memory.memory_id)
  if (memory.statement_id === null) return
  const known = byStatement.get(memory.statement_id) ?? new Set()
  byStatement.set(memory.statement_id, known.add(memory.memory_id))
}

/** The short memories that say what a statement says. */
const shortsOf = (plan: Plan, statementId: string): readonly ShortMemory[] =>
  [...(plan.shorts.byStatement.get(statementId) ?? [])].flatMap((id) => {
    const memory = plan.get(id)
    return memory?.type === 'short' && !memory.forgotten ? [memory] : []
  })

function applyDurable(plan: Plan, claim: Claim, classified: Classification, decision: Reconciliation | undefined): void {
  const { pass, ontology, results } = plan
  if (!decision || decision.action === 'drop') return
  const pageId = preparePage(plan, claim.subject)
  if (pageId === undefined) return
  const target = decision.target === null ? undefined : latest(plan, decision.target)
  if (decision.action === 'reinforce') {
    if (target?.type === 'statement') reinforceStatement(plan, target, claim)
    return
  }
  const property = chosenTerm('property', classified.property, results.adjudicate)
  const isFunctional = ontology.properties.get(property)?.functional === true
  // Of several values in one pass the last one holds.
  const earlier = isFunctional ? standing(pageId, plan.puts.values()).find((each) => each.property === property) : undefined
  const replaced = target?.type === 'statement' ? target : decision.action === 'add' ? earlier : undefined
  if (replaced && normalText(replaced.value) === normalText(classified.value)) {
    reinforceStatement(plan, replaced, claim)
    return
  }
  const asks = decision.action === 'contradict' || (replaced !== undefined && (replaced.origin === 'person' || replaced.pinned))
  const id = idOf(pass.pass_id, 'statement', classified.claim)
  const since = claim.valid_from ?? (replaced && !asks ? claim.at : null)
  const made: Statement = {
    ...statement(baseFor(plan, id, claim), {
      ...{ page_id: pageId, property, value: classified.value, valid_from: since, valid_to: claim.valid_to },
      ...{ confidence: asks ? confidence.disputed : confidence.said, disputes: asks && replaced ? replaced.memory_id : null },
    }),
    sources: [claim.source_digest],
  }
  plan.put(made)
  plan.pages.add(pageId)
  if (replaced && asks) putQuestion(plan, claim, replaced, made)
  else if (replaced) close(plan, replaced, { by: id, at: since ?? claim.at })
  applyShort(plan, classified.claim, claim, made)
}

/** The memory, or what this pass has put in its place already. */
function latest(plan: Plan, id: string): StoredMemory | undefined {
  const memory = plan.get(id)
  const next = memory?.type === 'statement' && memory.superseded_by !== null ? plan.puts.get(memory.superseded_by) : undefined
  return next && next.memory_id !== id ? latest(plan, next.memory_id) : memory
}

/** The page of a subject, made if it is new. */
function preparePage(plan: Plan, subject: string): string | undefined {
  const { pass, results } = plan
  const resolved = results.resolve.subjects.find(({ name }) => subjectKey(name) === subjectKey(subject))
  if (!resolved) return undefined
  const known = plan.get(resolved.page_id)
  if (known?.type === 'page') {
    const isKnown = isSelf(subject) || [known.title, ...known.aliases].some((each) => normalText(each) === normalText(subject))
    if (!isKnown)
      plan.put({ ...known, aliases: [...known.aliases, subject].slice(-maxAliases), updated_at: later(known.updated_at, pass.at) })
    return resolved.page_id
  }
  if (!resolved.created) return undefined
  const ofClass = chosenTerm('class', resolved.created.class, results.adjudicate)
  const { title } = resolved.created
  const base = { userId: pass.user_id, id: resolved.page_id, scope: pass.scope, text: '', at: pass.at, evidence: [] }
  const aliases = isSelf(subject) || normalText(title) === normalText(subject) ? [] : [subject]
  plan.put(subjectPage(base, { title, class: ofClass, aliases }))
  return resolved.page_id
}

const baseFor = ({ pass }: Plan, id: string, claim: Claim) => ({
  ...{ userId: pass.user_id, id, scope: pass.scope, text: claim.text, at: claim.at },
  evidence: [{ chatId: pass.chat_id, messageId: claim.message_id }],
})

const evidenceOf = ({ pass }: Plan, claim: Pick<Claim, 'message_id'>) => [{ chatId: pass.chat_id, messageId: claim.message_id }]

/** Whether it was learnt from these words already: then a further reading of them is no further mention. */
const isKnownSource = ({ sources }: StoredMemory, claim: Pick<Claim, 'source_digest'>): boolean => sources.includes(claim.source_digest)

function reinforceStatement(plan: Plan, target: Statement, claim: Claim): void {
  if (!isKnownSource(target, claim)) {
    const evidence = withEvidence(target.evidence, evidenceOf(plan, claim))
    const certain = target.origin === 'person' ? target.confidence : Math.min(1, Math.round((target.confidence + 0.05) * 100) / 100)
    const sources = [...target.sources, claim.source_digest].slice(-50)
    plan.put({ ...target, evidence, sources, confidence: certain, updated_at: later(target.updated_at, claim.at) })
  }
  for (const memory of shortsOf(plan, target.memory_id)) reinforceShort(plan, memory, claim)
}

function reinforceShort(plan: Plan, memory: ShortMemory, claim: Claim, changes: Partial<ShortMemory> = {}): void {
  if (isKnownSource(memory, claim)) return
  plan.put({
    ...memory,
    evidence: withEvidence(memory.evidence, evidenceOf(plan, claim)),
    sources: [...memory.sources, claim.source_digest].slice(-50),
    last_seen_at: later(memory.last_seen_at, claim.at),
    updated_at: later(memory.updated_at, claim.at),
    reinforcements: memory.reinforcements + 1,
    weight: Math.min(1, Math.round((memory.weight + mentionWeight) * 1_000) / 1_000),
    ...changes,
  })
}

/** The short memory of a claim: a further mention of one that says the same, or a new one. */
function applyShort(plan: Plan, index: number, claim: Claim, said: Statement | null): void {
  const link = said === null ? {} : { statement_id: said.memory_id, page_id: said.page_id }
  const same = plan.get(plan.shorts.byText.get(normalText(claim.text)) ?? '')
  if (same?.type === 'short' && !same.forgotten && same.valid_to === null) {
    reinforceShort(plan, same, claim, same.statement_id === null ? link : {})
    return
  }
  const isPerson = claim.source === 'person'
  plan.put({
    ...shortMemory(baseFor(plan, idOf(plan.pass.pass_id, 'short', index), claim), claim.kind),
    ...{ weight: isPerson ? personWeight : agentWeight, origin: isPerson ? 'chat' : 'tool', sources: [claim.source_digest] },
    ...{ valid_from: claim.valid_from, valid_to: claim.valid_to, ...link },
  })
}

/** A statement that another one has taken the place of, with the short memories that say the same. */
function close(plan: Plan, target: Statement, { by, at }: { readonly by: string; readonly at: string }): void {
  const end = { valid_to: at, superseded_by: by, updated_at: later(target.updated_at, plan.pass.at) }
  plan.put({ ...target, ...end, expired_at: plan.pass.at })
  for (const memory of shortsOf(plan, target.memory_id))
    if (memory.valid_to === null) plan.put({ ...memory, ...end, updated_at: later(memory.updated_at, plan.pass.at) })
  for (const memory of plan.all())
    if (memory.type === 'short' && !memory.forgotten && memory.about?.includes(target.memory_id) === true)
      plan.put(emptied(memory, later(memory.updated_at, plan.pass.at)))
}

function putQuestion(plan: Plan, claim: Claim, against: Statement, made: Statement): void {
  const text = `To ask the person: “${against.text}” is on record, but they have also said “${claim.text}”. Which one holds?`
  const base = baseFor(plan, idOf(made.memory_id, 'question'), claim)
  plan.put({
    ...shortMemory({ ...base, text }, 'question'),
    sources: [claim.source_digest],
    ...{ page_id: against.page_id, about: [against.memory_id, made.memory_id] },
  })
}

function writeBody(plan: Plan, id: string): void {
  const page = plan.get(id)
  if (page?.type !== 'page' || page.origin === 'person') return
  const body = plan.results.author?.pages[id] ?? plainBody(id, plan.all())
  if (body !== page.text || !plan.puts.has(id)) plan.put({ ...page, text: body, updated_at: later(page.updated_at, plan.pass.at) })
}

function applyPlaybook(plan: Plan, index: number, candidate: PlaybookCandidate): void {
  const { pass, results } = plan
  const resolved = results.resolve.playbooks[index]
  if (!resolved) return
  const known = plan.get(resolved.id)
  const evidence = evidenceOf(plan, candidate)
  const base = { userId: pass.user_id, id: resolved.id, scope: pass.scope, text: candidate.text, at: candidate.at, evidence }
  const before = known?.type === 'playbook' ? known : playbook(base, { title: candidate.title, when_to_use: candidate.when_to_use })
  if (before.forgotten || isKnownSource(before, candidate)) return
  const written = before.origin === 'person' ? undefined : results.author?.playbooks[resolved.id]
  plan.put({
    ...before,
    ...written,
    evidence: withEvidence(before.evidence, evidence),
    sources: [...before.sources, candidate.source_digest].slice(-50),
    successes: before.successes + (candidate.outcome === 'success' ? 1 : 0),
    failures: before.failures + (candidate.outcome === 'failure' ? 1 : 0),
    last_used_at: before.last_used_at === null ? candidate.at : later(before.last_used_at, candidate.at),
    updated_at: later(before.updated_at, candidate.at),
  })
}
