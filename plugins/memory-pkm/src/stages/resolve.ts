import { type JsonObject, type Static, Type } from '@agent-service/sdk'
import { looksLikeInstruction } from '@agent-service/sdk/memory-guards'
import { idOf } from '../common/ids.js'
import { normalText, oneLine, wellFormed } from '../common/text.js'
import { fenced } from '../model/fence.js'
import type { Playbook, StoredMemory, SubjectPage } from '../store/records.js'
import { scopeKey } from '../store/scope-key.js'
import { pageRead, pageSearch, playbookRead, playbookSearch } from './lookup-tools.js'
import type { StageContext } from './stage-context.js'
import { type ClassifyResult, type ExtractResult, type ResolvedSubject, type ResolveResult, storable } from './stage-results.js'
import { isSelf, selfPageId, selfTitle, subjectKey } from './subject-names.js'

const subjectSchema = Type.Object({
  subjects: Type.Array(
    Type.Object({
      subject: Type.Integer({ minimum: 0 }),
      page: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]),
      title: Type.Optional(Type.String({ minLength: 1, maxLength: 120 })),
    }),
    { maxItems: 300 },
  ),
})

const playbookSchema = Type.Object({
  playbooks: Type.Array(
    Type.Object({ candidate: Type.Integer({ minimum: 0 }), playbook: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]) }),
    { maxItems: 300 },
  ),
})

/** Something that durable claims are about. */
interface Subject {
  readonly key: string
  readonly name: string
  readonly class: string
  readonly claims: readonly string[]
}

/** Stage 3: the page of each subject, and the playbook of each candidate. */
export async function resolve(
  context: StageContext,
  { claims, playbooks }: ExtractResult,
  { durable }: ClassifyResult,
): Promise<ResolveResult> {
  const subjects = new Map<string, Subject>()
  for (const { claim, class: ofClass } of durable) {
    const found = claims[claim]
    if (!found) continue
    const key = subjectKey(found.subject)
    const known = subjects.get(key) ?? { key, name: found.subject, class: isSelf(found.subject) ? 'person' : ofClass, claims: [] }
    subjects.set(key, { ...known, claims: [...known.claims, found.text] })
  }
  return {
    subjects: await resolveSubjects(context, [...subjects.values()]),
    playbooks: await resolvePlaybooks(context, playbooks),
  }
}

async function resolveSubjects(context: StageContext, subjects: readonly Subject[]): Promise<readonly ResolvedSubject[]> {
  const pages = ownPages(context)
  const resolved = new Map<string, ResolvedSubject>()
  const open: Subject[] = []
  for (const subject of subjects) {
    const known = knownPage(context, pages, subject)
    if (known) resolved.set(subject.key, known)
    else open.push(subject)
  }
  const others = pages.filter(({ memory_id: id }) => id !== selfPageId(context.pass.user_id, scopeKey(context.pass.scope)))
  // Among no pages there is nothing to find.
  const answers = open.length === 0 || others.length === 0 ? open.map(() => undefined) : await askForPages(context, open, others)
  for (const [index, subject] of open.entries()) {
    const answer = answers[index]
    const id = answer?.page ?? idOf(context.pass.pass_id, 'page', subject.key)
    const title = oneLine(wellFormed(answer?.title ?? subject.name), 120)
    const created = answer?.page == null ? { title, class: subject.class } : null
    resolved.set(subject.key, { name: subject.name, page_id: id, created })
  }
  return subjects.flatMap(({ key }) => resolved.get(key) ?? [])
}

/** The person's own page, and pages whose name is the subject's: no model has to find them. */
function knownPage({ pass }: StageContext, pages: readonly SubjectPage[], { name, key }: Subject): ResolvedSubject | undefined {
  if (isSelf(name)) {
    const id = selfPageId(pass.user_id, scopeKey(pass.scope))
    const isThere = pages.some(({ memory_id: each }) => each === id)
    return { name, page_id: id, created: isThere ? null : { title: selfTitle, class: 'person' } }
  }
  const named = pages.filter(({ title, aliases }) => [title, ...aliases].some((each) => normalText(each) === key))
  const [first] = named
  return named.length === 1 && first ? { name, page_id: first.memory_id, created: null } : undefined
}

const ownPages = ({ view, pass }: StageContext): readonly SubjectPage[] =>
  [...view.memories.values()].filter(
    (memory): memory is SubjectPage => memory.type === 'page' && !memory.forgotten && scopeKey(memory.scope) === scopeKey(pass.scope),
  )

async function askForPages(context: StageContext, subjects: readonly Subject[], pages: readonly SubjectPage[]) {
  const { prompts, settings, redact } = context
  const isPage = (id: string): boolean => pages.some(({ memory_id: each }) => each === id)
  const lines = subjects.map(
    ({ name, class: ofClass, claims }, index) => `${index}. ${name} (${ofClass})\n${claims.map((text) => `   - ${text}`).join('\n')}`,
  )
  const check = ({ subjects: answers }: Static<typeof subjectSchema>): readonly string[] => [
    ...onceEach(
      answers.map(({ subject }) => subject),
      subjects.length,
      'subject',
    ),
    ...answers.flatMap(({ subject, page }) => (page !== null && !isPage(page) ? [`Subject ${subject}: there is no page ${page}.`] : [])),
    ...answers.flatMap(({ subject, title }) =>
      title !== undefined && (looksLikeInstruction(title) || redact(title) !== title) ? [`Subject ${subject}: the title is no name.`] : [],
    ),
  ]
  const result = await context.part('resolve.pages', lines, async () => {
    const { subjects: answers } = await context.ask('resolve.pages', {
      ...{
        name: 'pages',
        instructions: prompts.resolve.text,
        material: fenced('the subjects', lines.join('\n')),
        schema: subjectSchema,
        check,
      },
      tools: [pageSearch(context), pageRead(context)],
      maxToolTurns: settings.pkm_consolidation_max_tool_turns,
      maxSubmissions: settings.pkm_consolidation_max_submissions,
    })
    return storable({ answers }) as JsonObject
  })
  const { answers } = result as unknown as { readonly answers: Static<typeof subjectSchema>['subjects'] }
  return subjects.map((_, index) => answers.find(({ subject }) => subject === index))
}

async function resolvePlaybooks(context: StageContext, candidates: ExtractResult['playbooks']): Promise<ResolveResult['playbooks']> {
  const { view, pass, prompts, settings } = context
  const isOwn = (memory: StoredMemory | undefined): memory is Playbook =>
    memory?.type === 'playbook' && !memory.forgotten && scopeKey(memory.scope) === scopeKey(pass.scope)
  const created = candidates.map((_, index) => ({ id: idOf(pass.pass_id, 'playbook', index), is_new: true }))
  if (candidates.length === 0 || ![...view.memories.values()].some(isOwn)) return created
  const lines = candidates.map(
    ({ title, when_to_use: when, text }, index) => `${index}. ${title} – ${when}\n${text.replaceAll(/^/gm, '   ')}`,
  )
  const check = ({ playbooks }: Static<typeof playbookSchema>): readonly string[] => [
    ...onceEach(
      playbooks.map(({ candidate }) => candidate),
      candidates.length,
      'candidate',
    ),
    ...playbooks.flatMap(({ candidate, playbook }) =>
      playbook !== null && !isOwn(view.memories.get(playbook)) ? [`Candidate ${candidate}: there is no playbook ${playbook}.`] : [],
    ),
  ]
  const result = await context.part('resolve.playbooks', lines, async () => {
    const { playbooks } = await context.ask('resolve.playbooks', {
      ...{ name: 'playbooks', instructions: prompts['resolve-playbooks'].text, schema: playbookSchema, check },
      material: fenced('the candidates', lines.join('\n\n')),
      tools: [playbookSearch(context), playbookRead(context)],
      maxToolTurns: settings.pkm_playbook_max_tool_turns,
      maxSubmissions: settings.pkm_playbook_max_submissions,
    })
    return storable({ playbooks }) as JsonObject
  })
  const { playbooks } = result as unknown as Static<typeof playbookSchema>
  return created.map((each, index) => {
    const known = playbooks.find(({ candidate }) => candidate === index)?.playbook ?? null
    return known === null ? each : { id: known, is_new: false }
  })
}

/** Problems of answers that are not exactly one for each number. */
export function onceEach(answered: readonly number[], count: number, what: string): readonly string[] {
  const seen = new Set(answered)
  const missing = Array.from({ length: count }, (_, index) => index).filter((index) => !seen.has(index))
  const problems = missing.map((index) => `The ${what} ${index} has no answer.`)
  return seen.size !== answered.length || answered.some((index) => index >= count)
    ? [...problems, `Every ${what} has to be answered once, by its number.`]
    : problems
}
