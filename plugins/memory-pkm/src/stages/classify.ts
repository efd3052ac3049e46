import { type JsonObject, type Static, Type } from '@agent-service/sdk'
import { looksLikeInstruction } from '@agent-service/sdk/memory-guards'
import { oneLine } from '../common/text.js'
import { fenced } from '../model/fence.js'
import type { Ontology } from '../ontology/ontology.js'
import { memorySearch, ontologySearch, termLine } from './lookup-tools.js'
import type { StageContext } from './stage-context.js'
import type { Claim, Classification, ClassifyResult, ExtractResult, TermProposal } from './stage-results.js'
import { storable } from './stage-results.js'

/** How many claims one request sorts. */
const batchSize = 40
/** The most terms that a request lists; the others are searched. */
const maxListed = 200

const name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' })

export const classificationSchema = Type.Object({
  claims: Type.Array(
    Type.Object({
      claim: Type.Integer({ minimum: 0 }),
      durable: Type.Boolean(),
      class: Type.Optional(name),
      property: Type.Optional(name),
      value: Type.Optional(Type.String({ minLength: 1, maxLength: 280 })),
    }),
    { maxItems: batchSize },
  ),
  proposals: Type.Array(
    Type.Object({
      kind: Type.Union([Type.Literal('class'), Type.Literal('property')]),
      name,
      label: Type.String({ minLength: 1, maxLength: 100 }),
      parent: Type.Optional(name),
    }),
    { maxItems: 20 },
  ),
})

type Submission = Static<typeof classificationSchema>

/** Stage 2: which claims will hold for long, and the terms of the ontology that they belong to. */
export async function classify(context: StageContext, { claims }: ExtractResult): Promise<ClassifyResult> {
  // What an agent has done is an event in time; only what the person says becomes a statement.
  const own = claims.flatMap((claim, index) => (claim.source === 'person' ? [{ claim, index }] : []))
  const durable: Classification[] = []
  const proposals = new Map<string, TermProposal>()
  for (let start = 0; start < own.length; start += batchSize) {
    const batch = own.slice(start, start + batchSize)
    const part = `classify.${start / batchSize}`
    const result = (await context.part(part, batch, async () =>
      sorted(
        await context.ask(
          part,
          taskFor(
            context,
            batch.map(({ claim }) => claim),
          ),
        ),
        batch.map(({ index }) => index),
        context.ontology,
      ),
    )) as unknown as ClassifyResult
    durable.push(...result.durable)
    for (const proposal of result.proposals) proposals.set(`${proposal.kind} ${proposal.name}`, proposal)
  }
  return { durable, proposals: [...proposals.values()] }
}

function taskFor(context: StageContext, claims: readonly Claim[]) {
  const { prompts, settings, ontology } = context
  const lines = claims.map(({ text, kind, subject }, index) => `${index}. (${kind}, about ${subject}) ${text}`)
  return {
    ...{ name: 'classification', instructions: `${prompts.classify.text}\n\n${termList(ontology)}`, schema: classificationSchema },
    material: fenced('the claims', lines.join('\n')),
    tools: [ontologySearch(context), memorySearch(context)],
    maxToolTurns: settings.pkm_consolidation_max_tool_turns,
    maxSubmissions: settings.pkm_consolidation_max_submissions,
    check: (submission: Submission) => problemsOf(submission, claims.length, context),
  }
}

function termList({ classes, properties }: Ontology): string {
  const list = (title: string, terms: ReadonlyMap<string, Parameters<typeof termLine>[0]>, max: number): string =>
    `${title}:\n${[...terms.values()].slice(0, max).map(termLine).join('\n')}`
  const classCount = Math.min(classes.size, maxListed / 2)
  return `${list('Classes', classes, classCount)}\n\n${list('Properties', properties, maxListed - classCount)}`
}

function problemsOf({ claims, proposals }: Submission, count: number, { ontology, redact }: StageContext): readonly string[] {
  const problems: string[] = []
  const known = (kind: TermProposal['kind'], term: string): boolean =>
    (kind === 'class' ? ontology.classes : ontology.properties).has(term) ||
    proposals.some((each) => each.kind === kind && each.name === term)
  const answered = new Set(claims.map(({ claim }) => claim))
  for (let claim = 0; claim < count; claim += 1) if (!answered.has(claim)) problems.push(`Claim ${claim} has no answer.`)
  if (claims.length !== answered.size || [...answered].some((claim) => claim >= count))
    problems.push('Every claim has to be answered once, by its number.')
  for (const { claim, durable, class: ofClass, property, value } of claims) {
    if (!durable) continue
    if (ofClass === undefined || property === undefined || value === undefined)
      problems.push(`Claim ${claim} is durable, so it needs class, property and value.`)
    else if (!known('class', ofClass)) problems.push(`Claim ${claim}: there is no class ${ofClass}. Search for one, or propose it.`)
    else if (!known('property', property)) problems.push(`Claim ${claim}: there is no property ${property}. Search for one, or propose it.`)
    else if (redact(value) !== value) problems.push(`Claim ${claim}: the value must have no secrets.`)
  }
  for (const { label, name: proposed } of proposals)
    if (looksLikeInstruction(label) || redact(label) !== label) problems.push(`The label of the proposal ${proposed} is no name of a term.`)
  return problems
}

/** Only what is used, in the order of the claims. */
function sorted({ claims, proposals }: Submission, indices: readonly number[], ontology: Ontology): JsonObject {
  const durable = claims.flatMap((each): readonly Classification[] => {
    const claim = indices[each.claim]
    const { class: ofClass, property, value } = each
    if (!each.durable || claim === undefined || ofClass === undefined || property === undefined || value === undefined) return []
    return [{ claim, class: ofClass, property, value: oneLine(value, 280) }]
  })
  const used = new Set(durable.flatMap((each) => [`class ${each.class}`, `property ${each.property}`]))
  const wanted = proposals.filter(
    ({ kind, name: term }) => used.has(`${kind} ${term}`) && !(kind === 'class' ? ontology.classes : ontology.properties).has(term),
  )
  const result: ClassifyResult = {
    durable: durable.sort((one, other) => one.claim - other.claim),
    proposals: wanted.map(({ kind, name: term, label, parent }) => ({
      kind,
      name: term,
      label: oneLine(label, 100),
      parent: parent ?? null,
    })),
  }
  return storable(result) as JsonObject
}
