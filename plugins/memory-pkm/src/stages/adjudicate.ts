import { type JsonObject, type Static, Type } from '@agent-service/sdk'
import { fenced } from '../model/fence.js'
import { ontologySearch, termLine } from './lookup-tools.js'
import { onceEach } from './resolve.js'
import type { StageContext } from './stage-context.js'
import { type AdjudicateResult, type ClassifyResult, type ExtractResult, storable, type TermProposal } from './stage-results.js'

/** How many proposals one batch decides on. */
const batchSize = 20
/** How often the model may look terms up for one batch. */
const maxToolTurns = 8

const verdictSchema = Type.Object({
  terms: Type.Array(
    Type.Object({
      proposal: Type.Integer({ minimum: 0 }),
      verdict: Type.Union([Type.Literal('accept'), Type.Literal('alias'), Type.Literal('reject')]),
      of: Type.Optional(Type.String({ maxLength: 64 })),
    }),
    { maxItems: batchSize },
  ),
})

/** Stage 6: which of the proposed terms become terms of the person's ontology. */
export async function adjudicate(
  context: StageContext,
  { claims }: ExtractResult,
  { proposals, durable }: ClassifyResult,
): Promise<AdjudicateResult> {
  const verdicts: AdjudicateResult['verdicts'][number][] = []
  for (let start = 0; start < proposals.length; start += batchSize) {
    const batch = proposals.slice(start, start + batchSize)
    const lines = batch.map((proposal, index) => `${index}. ${lineOf(proposal)}\n${usesOf(proposal).join('\n')}`)
    const part = `adjudicate.${start / batchSize}`
    const result = await context.part(part, lines, async () => {
      const { terms } = await context.ask(part, {
        ...{ name: 'verdicts', instructions: context.prompts.adjudicate.text, material: fenced('the proposals', lines.join('\n')) },
        ...{ schema: verdictSchema, tools: [ontologySearch(context)], maxToolTurns },
        maxSubmissions: context.settings.pkm_adjudication_max_attempts_per_batch,
        check: (submission: Static<typeof verdictSchema>) => problemsOf(submission, batch, context),
      })
      return storable({ terms }) as JsonObject
    })
    const { terms } = result as unknown as Static<typeof verdictSchema>
    for (const [index, { kind, name }] of batch.entries()) {
      const found = terms.find(({ proposal }) => proposal === index)
      verdicts.push({ kind, name, verdict: found?.verdict ?? 'reject', of: found?.verdict === 'alias' ? (found.of ?? null) : null })
    }
  }
  return { verdicts }

  function usesOf({ kind, name }: TermProposal): readonly string[] {
    const uses = durable.filter((each) => (kind === 'class' ? each.class : each.property) === name)
    return uses.slice(0, 5).flatMap(({ claim }) => (claims[claim] ? [`   - ${claims[claim].text}`] : []))
  }
}

const lineOf = ({ kind, name, label, parent }: TermProposal): string =>
  `${kind} ${termLine({ name, kind, label, description: '', ...(parent !== null && { parent }) })}`

function problemsOf(
  { terms }: Static<typeof verdictSchema>,
  batch: readonly TermProposal[],
  { ontology }: StageContext,
): readonly string[] {
  const problems = [
    ...onceEach(
      terms.map(({ proposal }) => proposal),
      batch.length,
      'proposal',
    ),
  ]
  for (const { proposal, verdict, of } of terms) {
    const kind = batch[proposal]?.kind
    if (verdict !== 'alias' || kind === undefined) continue
    const known = kind === 'class' ? ontology.classes : ontology.properties
    if (of === undefined || !known.has(of)) problems.push(`Proposal ${proposal}: “of” has to be a ${kind} of the ontology.`)
  }
  return problems
}
