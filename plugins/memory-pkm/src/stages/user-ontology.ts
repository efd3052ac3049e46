import { createOntology, type Ontology, type OntologyTerm } from '../ontology/ontology.js'
import type { StoredTerm } from '../store/records.js'
import type { MemoryView } from '../store/user-memories.js'

/**
 * The ontology of the deployment with the terms that were accepted for a user, and those that their
 * memories use: imported ones may come from elsewhere.
 */
export function userOntology({ classes, properties }: Ontology, terms: readonly StoredTerm[], { memories }: MemoryView): Ontology {
  const known = [...classes.values(), ...properties.values()]
  const own: OntologyTerm[] = terms
    .filter(({ status }) => status === 'accepted')
    .map(({ name, kind, label, parent }) => ({ name, kind, label, description: '', ...(parent !== null && { parent }) }))
  const used = new Map<string, OntologyTerm>()
  for (const memory of memories.values()) {
    if (memory.forgotten) continue
    if (memory.type === 'statement') used.set(`property ${memory.property}`, plain('property', memory.property))
    if (memory.type === 'page') used.set(`class ${memory.class}`, plain('class', memory.class))
  }
  return createOntology([...[...used.values()].sort((one, other) => (one.name < other.name ? -1 : 1)), ...own, ...known])
}

const plain = (kind: OntologyTerm['kind'], name: string): OntologyTerm => ({
  name,
  kind,
  label: name.replaceAll('_', ' '),
  description: '',
})
