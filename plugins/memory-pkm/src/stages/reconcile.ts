import { type JsonObject, type Static, Type } from '@agent-service/sdk'
import { normalText } from '../common/text.js'
import { fenced } from '../model/fence.js'
import type { Statement } from '../store/records.js'
import { standing } from '../write/page-body.js'
import { baseOf } from './base-digest.js'
import { onceEach } from './resolve.js'
import type { StageContext } from './stage-context.js'
import {
  type Claim,
  type ClassifyResult,
  type ExtractResult,
  type ReconcileResult,
  type Reconciliation,
  type ResolveResult,
  storable,
} from './stage-results.js'
import { checkpointStaleError } from './stale.js'
import { subjectKey } from './subject-names.js'

/** How many claims one request decides on. */
const batchSize = 30
/** The most statements of a page that a claim is held against, the newest. */
const maxStatements = 30

const action = Type.Union([
  Type.Literal('add'),
  Type.Literal('reinforce'),
  Type.Literal('supersede'),
  Type.Literal('contradict'),
  Type.Literal('drop'),
])

const reconciliationSchema = Type.Object({
  claims: Type.Array(
    Type.Object({
      claim: Type.Integer({ minimum: 0 }),
      action,
      target: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    { maxItems: batchSize },
  ),
})

/** The indices of claims and candidates that a person has forgotten: they are not learnt again. */
export interface Buried {
  readonly claims: ReadonlySet<number>
  readonly playbooks: ReadonlySet<number>
}

/** A claim with what stands about the same. */
interface Case {
  readonly index: number
  readonly claim: Claim
  readonly property: string
  readonly value: string
  readonly functional: boolean
  readonly statements: readonly Statement[]
}

/** Stage 4: how the durable claims go together with the statements that stand. */
export async function reconcile(
  context: StageContext,
  { claims }: ExtractResult,
  { durable }: ClassifyResult,
  resolved: ResolveResult,
  buried: Buried,
): Promise<ReconcileResult> {
  const { view, ontology } = context
  demandPages(context, resolved)
  const decisions: Reconciliation[] = []
  const open: Case[] = []
  for (const { claim: index, property, value } of durable) {
    const claim = claims[index]
    const pageId = resolved.subjects.find(({ name }) => claim && subjectKey(name) === subjectKey(claim.subject))?.page_id
    if (!claim || pageId === undefined || buried.claims.has(index)) {
      decisions.push({ claim: index, action: 'drop', target: null })
      continue
    }
    const statements = standing(pageId, view.memories.values())
      .filter((each) => each.property === property)
      .slice(-maxStatements)
    const same = statements.find((each) => normalText(each.value) === normalText(value) || normalText(each.text) === normalText(claim.text))
    if (statements.length === 0) decisions.push({ claim: index, action: 'add', target: null })
    else if (same) decisions.push({ claim: index, action: 'reinforce', target: same.memory_id })
    else open.push({ index, claim, property, value, functional: ontology.properties.get(property)?.functional === true, statements })
  }
  for (let start = 0; start < open.length; start += batchSize)
    decisions.push(...(await decide(context, open.slice(start, start + batchSize), `reconcile.${start / batchSize}`)))
  const isDurable = new Set(durable.map(({ claim }) => claim))
  for (const index of buried.claims) if (!isDurable.has(index)) decisions.push({ claim: index, action: 'drop', target: null })
  decisions.sort((one, other) => one.claim - other.claim)
  return { decisions, base: baseOf(view, resolved), buried_playbooks: [...buried.playbooks] }
}

/** @throws `memory_checkpoint_stale` if a page that claims were resolved to is gone. */
function demandPages({ view }: StageContext, { subjects, playbooks }: ResolveResult): void {
  const isThere = (id: string): boolean => view.memories.get(id)?.forgotten === false
  const pages = subjects.filter(({ created }) => created === null).map(({ page_id: id }) => id)
  const known = playbooks.filter(({ is_new: isNew }) => !isNew).map(({ id }) => id)
  if (![...pages, ...known].every(isThere)) throw checkpointStaleError.create({ reason: 'a page that it writes to is gone' })
}

async function decide(context: StageContext, cases: readonly Case[], part: string): Promise<readonly Reconciliation[]> {
  const { prompts, settings } = context
  const lines = cases.map(lineOf)
  const result = await context.part(part, lines, async () => {
    const { claims } = await context.ask(part, {
      ...{ name: 'decisions', instructions: prompts.reconcile.text, material: fenced('the claims', lines.join('\n\n')), tools: [] },
      ...{ schema: reconciliationSchema, maxToolTurns: 0, maxSubmissions: settings.pkm_consolidation_max_submissions },
      check: (submission: Static<typeof reconciliationSchema>) => problemsOf(submission, cases),
    })
    return storable({ claims }) as JsonObject
  })
  const { claims } = result as unknown as Static<typeof reconciliationSchema>
  return cases.map(({ index }, number) => {
    const answer = claims.find(({ claim }) => claim === number)
    const action: Reconciliation['action'] = answer?.action ?? 'drop'
    return { claim: index, action, target: action === 'add' || action === 'drop' ? null : (answer?.target ?? null) }
  })
}

const lineOf = ({ claim, property, value, functional, statements }: Case, number: number): string => {
  const stands = statements.map(
    ({ memory_id: id, text, created_at: at, valid_from: from }) => `   - ${id} (${(from ?? at).slice(0, 10)}): ${text}`,
  )
  return `${number}. ${property}${functional ? ' (functional)' : ''}, said at ${claim.at}: ${claim.text} [${value}]\n${stands.join('\n')}`
}

function problemsOf({ claims }: Static<typeof reconciliationSchema>, cases: readonly Case[]): readonly string[] {
  const problems = [
    ...onceEach(
      claims.map(({ claim }) => claim),
      cases.length,
      'claim',
    ),
  ]
  for (const { claim, action, target } of claims) {
    const found = cases[claim]
    if (!found) continue
    if (action === 'add' && found.functional)
      problems.push(`Claim ${claim}: the property is functional, so it supersedes or contradicts, reinforces or is dropped.`)
    if (action !== 'add' && action !== 'drop' && !found.statements.some(({ memory_id: id }) => id === target))
      problems.push(`Claim ${claim}: target has to be the id of one of its statements.`)
  }
  return problems
}
