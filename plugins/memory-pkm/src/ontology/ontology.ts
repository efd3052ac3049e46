import { digestOf } from '../common/digest-of.js'

/** A class or a property. */
export interface OntologyTerm {
  /** Letters, digits and `_`: `lives_in`. */
  readonly name: string
  readonly kind: 'class' | 'property'
  readonly label: string
  readonly description: string
  /** Of a class: the one that it is a kind of. */
  readonly parent?: string
  /** Of a property: the class of its subjects. */
  readonly domain?: string
  /** Of a property: the class of its values. */
  readonly range?: string
  /** Of a property: only one value holds at a time. */
  readonly functional?: boolean
}

/** The terms by which memories are sorted. */
export interface Ontology {
  readonly classes: ReadonlyMap<string, OntologyTerm>
  readonly properties: ReadonlyMap<string, OntologyTerm>
  /** Changes whenever a term does. */
  readonly revision: string
}

export const termName = /^[a-z][a-z0-9_]{0,63}$/

/** Whatever a deployment's files say, these are there: what no other term fits. */
const coreTerms: readonly OntologyTerm[] = [
  { name: 'person', kind: 'class', label: 'Person', description: 'A human being.' },
  { name: 'thing', kind: 'class', label: 'Thing', description: 'Anything that no other class fits.' },
  { name: 'note', kind: 'property', label: 'is also known for', description: 'Anything that no other property fits.' },
]

/** Terms that come later win over earlier ones of the same kind and name. */
export function createOntology(terms: readonly OntologyTerm[]): Ontology {
  const byKind = (kind: OntologyTerm['kind']): ReadonlyMap<string, OntologyTerm> =>
    new Map([...coreTerms, ...terms].filter((term) => term.kind === kind).map((term) => [term.name, term]))
  const [classes, properties] = [byKind('class'), byKind('property')]
  return { classes, properties, revision: digestOf([[...classes.values()], [...properties.values()]]) }
}

/** A name made of a label: `Lives in` is `lives_in`; undefined if nothing of it is left. */
export function nameFromLabel(label: string): string | undefined {
  const plain = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
  const name = plain
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, 64)
  return termName.test(name) ? name : undefined
}
