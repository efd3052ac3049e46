import { type JsonObject, type Static, Type } from '@agent-service/sdk'
import { looksLikeInstruction, looksPlanted } from '@agent-service/sdk/memory-guards'
import { oneLine, wellFormed } from '../common/text.js'
import { hasNoNewDetails } from '../guards/check-claim.js'
import { prepareText } from '../guards/prepared.js'
import { fenced } from '../model/fence.js'
import type { Playbook, Statement, SubjectPage } from '../store/records.js'
import { standing } from '../write/page-body.js'
import { demandSameBase } from './base-digest.js'
import { allOrFirstError } from './extract.js'
import { pageRead, playbookRead } from './lookup-tools.js'
import { type PlannedResults, planChanges } from './plan-changes.js'
import type { StageContext } from './stage-context.js'
import { type AuthorResult, type PlaybookCandidate, storable } from './stage-results.js'

const maxBody = 2_000
/** A page with fewer statements is their list; there is nothing to write. */
const minStatements = 2

const pageSchema = Type.Object({ body: Type.String({ minLength: 1, maxLength: maxBody }) })
const playbookSchema = Type.Object({
  title: Type.String({ minLength: 3, maxLength: 120 }),
  when_to_use: Type.String({ minLength: 3, maxLength: 200 }),
  steps: Type.String({ minLength: 3, maxLength: 4_000 }),
  pitfalls: Type.Optional(Type.String({ maxLength: 2_000 })),
})

/** Stage 5: the bodies of the pages whose statements have changed, and the playbooks that were learnt more of. */
export async function author(context: StageContext, results: PlannedResults): Promise<AuthorResult> {
  const { view, pass, ontology } = context
  demandSameBase(view, results.resolve, results.reconcile)
  const plan = planChanges(view, pass, results, ontology)
  const pages = [...plan.pages].flatMap((id) => {
    const page = plan.puts.get(id)
    const statements = standing(id, plan.memories())
    return page?.type === 'page' && page.origin !== 'person' && statements.length >= minStatements ? [{ page, statements }] : []
  })
  const playbooks = groupedCandidates(results).flatMap(({ id, candidates }) => {
    const known = view.memories.get(id)
    const before = known?.type === 'playbook' && !known.forgotten ? known : undefined
    // A new one from one candidate is that candidate.
    return before?.origin === 'person' || (before === undefined && candidates.length === 1) ? [] : [{ id, before, candidates }]
  })
  const bodies = await allOrFirstError(
    pages,
    async ({ page, statements }) => [page.memory_id, await writePage(context, page, statements)] as const,
  )
  const books = await allOrFirstError(playbooks, async (task) => [task.id, await writePlaybook(context, task)] as const)
  return { pages: Object.fromEntries(bodies), playbooks: Object.fromEntries(books) }
}

async function writePage(context: StageContext, page: SubjectPage, statements: readonly Statement[]): Promise<string> {
  const { prompts, settings, redact } = context
  const source = [page.title, ...page.aliases, ...statements.map(({ text }) => text)].join('\n')
  const material = `The page: ${page.title} (${page.class})\n${statements.map(({ property, text }) => `- ${property}: ${text}`).join('\n')}`
  const part = `author.${page.memory_id}`
  const result = await context.part(part, material, () =>
    limited(context, async () => {
      const { body } = await context.ask(part, {
        ...{ name: 'page', instructions: prompts.author.text, material: fenced('the statements', material), schema: pageSchema },
        ...{ tools: [pageRead(context)], maxToolTurns: settings.pkm_consolidation_max_tool_turns },
        maxSubmissions: settings.pkm_consolidation_max_submissions,
        check: (written: Static<typeof pageSchema>) => [
          ...problemsOf(written.body, source, redact),
          ...(hasNewOrder(written.body, source) ? [noOrders] : []),
        ],
      })
      return { body: wellFormed(body).trim() }
    }),
  )
  return (result as { readonly body: string }).body
}

/** The candidates that belong to one playbook. */
function groupedCandidates({ extract, resolve, reconcile }: PlannedResults) {
  const groups = new Map<string, PlaybookCandidate[]>()
  for (const [index, candidate] of extract.playbooks.entries()) {
    const id = resolve.playbooks[index]?.id
    if (id !== undefined && !reconcile.buried_playbooks.includes(index)) groups.set(id, [...(groups.get(id) ?? []), candidate])
  }
  return [...groups].map(([id, candidates]) => ({ id, candidates }))
}

interface PlaybookTask {
  readonly id: string
  readonly before: Playbook | undefined
  readonly candidates: readonly PlaybookCandidate[]
}

async function writePlaybook(context: StageContext, { id, before, candidates }: PlaybookTask): Promise<AuthorResult['playbooks'][string]> {
  const { prompts, settings, redact } = context
  const stands = before === undefined ? '' : `The playbook as it stands:\n${before.title}\n${before.when_to_use}\n${before.text}\n\n`
  const learnt = candidates.map(
    ({ title, when_to_use: when, text, outcome }) => `What was learnt (${outcome}):\n${title}\n${when}\n${text}`,
  )
  const material = `${stands}${learnt.join('\n\n')}`
  const part = `author.${id}`
  const result = await context.part(part, material, () =>
    limited(context, async () => {
      const written = await context.ask(part, {
        ...{
          name: 'playbook',
          instructions: prompts['author-playbook'].text,
          material: fenced('the playbook', material),
          schema: playbookSchema,
        },
        ...{ tools: [pageRead(context), playbookRead(context)], maxToolTurns: settings.pkm_playbook_max_tool_turns },
        maxSubmissions: settings.pkm_playbook_max_submissions,
        check: (submission: Static<typeof playbookSchema>) => {
          const whole = Object.values(submission).join('\n')
          return [...problemsOf(whole, material, redact), ...(looksPlanted(whole) && !looksPlanted(material) ? [noOrders] : [])]
        },
      })
      const text = [written.steps, written.pitfalls].filter((each) => each !== undefined && each.trim() !== '').join('\n\nPitfalls:\n')
      return storable({
        title: oneLine(written.title, 120),
        when_to_use: oneLine(written.when_to_use, 200),
        text: wellFormed(text),
      }) as JsonObject
    }),
  )
  return result as unknown as AuthorResult['playbooks'][string]
}

async function limited<Result>({ limiter, signal }: StageContext, work: () => Promise<Result>): Promise<Result> {
  const release = await limiter.acquire({ signal })
  try {
    return await work()
  } finally {
    release()
  }
}

const noOrders = 'It has an order to an agent that was not given.'

/** Whether a line or sentence is an order to an agent, though nothing that was given is one. */
const hasNewOrder = (text: string, source: string): boolean => {
  const isOrder = (each: string): boolean => each.split(/\n|(?<=[.!?])\s/).some(looksLikeInstruction)
  return isOrder(text) && !isOrder(source)
}

/** What is written may only say what it was given. */
function problemsOf(text: string, source: string, redact: (text: string) => string): readonly string[] {
  const problems: string[] = []
  if (!hasNoNewDetails(text, prepareText(source))) problems.push('It has a number, a link or an address that was not given.')
  if (redact(text) !== text) problems.push('It has something that looks like a secret.')
  return problems
}
