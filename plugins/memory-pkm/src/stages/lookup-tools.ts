import { Type } from '@agent-service/sdk'
import { wordsOf } from '../common/text.js'
import type { StageTool } from '../model/ask-model.js'
import { fenced } from '../model/fence.js'
import type { OntologyTerm } from '../ontology/ontology.js'
import type { Playbook, StoredMemory, SubjectPage } from '../store/records.js'
import { scopeKey } from '../store/scope-key.js'
import { standing } from '../write/page-body.js'
import type { StageContext } from './stage-context.js'

/** The most that one look-up gives. */
const maxFound = 8
const maxLength = 8_000

const query = Type.Object({ query: Type.String({ minLength: 1, maxLength: 200 }) })
const byId = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) })

/** One line about a term. */
export function termLine({ name, label, description, parent, domain, range, functional }: OntologyTerm): string {
  const facts = [parent && `a kind of ${parent}`, domain && `of ${domain}`, range && `to ${range}`, functional && 'functional'].filter(
    Boolean,
  )
  return `${name} (${label}${facts.length === 0 ? '' : `; ${facts.join(', ')}`})${description === '' ? '' : `: ${description}`}`
}

export const ontologySearch = ({ ontology }: StageContext): StageTool => ({
  name: 'ontology_search',
  description: 'Finds classes and properties of the ontology by words.',
  parameters: query,
  execute({ query: text }) {
    const wanted = wordsOf(String(text))
    const scored = [...ontology.classes.values(), ...ontology.properties.values()].map((term) => {
      const words = new Set(wordsOf(`${term.name.replaceAll('_', ' ')} ${term.label} ${term.description}`))
      return { term, score: wanted.filter((word) => words.has(word)).length }
    })
    const found = scored
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || (one.term.name < other.term.name ? -1 : 1))
    return linesOr(
      found.slice(0, 20).map(({ term }) => `${term.kind} ${termLine(term)}`),
      'No term was found.',
    )
  },
})

export const memorySearch = (context: StageContext): StageTool =>
  finder(context, 'memory_search', 'Finds memories that are there, with the property of statements.', ['short', 'statement'], (memory) =>
    memory.type === 'statement' ? `${memory.property}: ${memory.text}` : memory.text,
  )

export const pageSearch = (context: StageContext): StageTool =>
  finder(context, 'page_search', 'Finds pages by the names and facts of their subjects.', ['page'], (memory) =>
    memory.type === 'page' ? `${memory.memory_id} ${memory.title} (${memory.class})` : '',
  )

export const playbookSearch = (context: StageContext): StageTool =>
  finder(context, 'playbook_search', 'Finds playbooks by what they are for.', ['playbook'], (memory) =>
    memory.type === 'playbook' ? `${memory.memory_id} ${memory.title} – ${memory.when_to_use}` : '',
  )

export const pageRead = ({ view, pass }: StageContext): StageTool => ({
  name: 'page_read',
  description: 'Reads a page: its names, and the statements that stand.',
  parameters: byId,
  execute({ id }) {
    const page = ownMemory<SubjectPage>(view.memories.get(String(id)), 'page', scopeKey(pass.scope))
    if (!page) return 'There is no page of this id.'
    const names = [page.title, ...page.aliases].join(', ')
    const statements = standing(page.memory_id, view.memories.values()).map(({ property, text }) => `- ${property}: ${text}`)
    return cut(`${names} (${page.class})\n${statements.join('\n')}`)
  },
})

export const playbookRead = ({ view, pass }: StageContext): StageTool => ({
  name: 'playbook_read',
  description: 'Reads a playbook.',
  parameters: byId,
  execute({ id }) {
    const found = ownMemory<Playbook>(view.memories.get(String(id)), 'playbook', scopeKey(pass.scope))
    return found ? cut(`${found.title}\n${found.when_to_use}\n\n${found.text}`) : 'There is no playbook of this id.'
  },
})

function finder(
  { view, search, pass, signal }: StageContext,
  name: string,
  description: string,
  types: readonly StoredMemory['type'][],
  lineOf: (memory: StoredMemory) => string,
): StageTool {
  const accepts = (id: string): boolean => {
    const memory = view.memories.get(id)
    return memory !== undefined && !memory.forgotten && types.includes(memory.type) && scopeKey(memory.scope) === scopeKey(pass.scope)
  }
  return {
    ...{ name, description, parameters: query },
    async execute({ query: text }) {
      const found = await search.search(pass.user_id, String(text), { limit: maxFound, accepts, signal })
      return linesOr(found.flatMap(({ id }) => view.memories.get(id) ?? []).map(lineOf), 'Nothing was found.')
    },
  }
}

function ownMemory<Memory extends StoredMemory>(memory: StoredMemory | undefined, type: Memory['type'], scope: string): Memory | undefined {
  return memory?.type === type && !memory.forgotten && scopeKey(memory.scope) === scope ? (memory as Memory) : undefined
}

const linesOr = (lines: readonly string[], none: string): string =>
  lines.length === 0 ? none : cut(lines.map((line) => `- ${line.replaceAll(/\s+/g, ' ')}`).join('\n'))

const cut = (text: string): string => fenced('what is known', text.slice(0, maxLength))
