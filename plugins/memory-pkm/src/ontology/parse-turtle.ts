import n3 from 'n3'
import { nameFromLabel, type OntologyTerm } from './ontology.js'
import type { ParsedFile } from './parsed-file.js'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const rdfs = 'http://www.w3.org/2000/01/rdf-schema#'
const owl = 'http://www.w3.org/2002/07/owl#'

const classTypes = new Set([`${rdfs}Class`, `${owl}Class`])
const propertyTypes = new Set([`${rdf}Property`, `${owl}ObjectProperty`, `${owl}DatatypeProperty`, `${owl}FunctionalProperty`])

interface Subject {
  readonly types: Set<string>
  /** The first object of each predicate; of texts the English one, else the first. */
  readonly objects: Map<string, string>
}

/**
 * Reads classes and properties of RDF Schema and OWL from Turtle: labels, comments, `subClassOf`,
 * `domain`, `range` and functional properties. Other triples are left out, blank nodes too; nothing
 * is fetched. What is wrong names its line.
 */
export function parseTurtle(text: string): ParsedFile {
  const subjects = new Map<string, Subject>()
  try {
    for (const { subject, predicate, object } of new n3.Parser({ format: 'text/turtle' }).parse(text)) {
      if (subject.termType !== 'NamedNode' || object.termType === 'BlankNode') continue
      const known = subjects.get(subject.value) ?? { types: new Set(), objects: new Map() }
      subjects.set(subject.value, known)
      if (predicate.value === `${rdf}type`) known.types.add(object.value)
      else if (!known.objects.has(predicate.value) || (object.termType === 'Literal' && object.language === 'en'))
        known.objects.set(predicate.value, object.value)
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const line = /on line (\d+)/.exec(message)?.[1]
    return { line: Number(line ?? 1), problem: message.replace(/ on line \d+\.?$/, '.').slice(0, 300) }
  }
  return { terms: [...subjects].flatMap(([iri, subject]) => termOf(iri, subject) ?? []) }
}

function termOf(iri: string, { types, objects }: Subject): OntologyTerm | undefined {
  const kind = [...types].some((type) => classTypes.has(type))
    ? 'class'
    : [...types].some((type) => propertyTypes.has(type))
      ? 'property'
      : undefined
  const name = localName(iri)
  if (kind === undefined || name === undefined) return undefined
  const label = (objects.get(`${rdfs}label`) ?? name.replaceAll('_', ' ')).slice(0, 100)
  const term = { name, kind, label, description: (objects.get(`${rdfs}comment`) ?? '').slice(0, 500) } as const
  const reference = (member: 'parent' | 'domain' | 'range', predicate: string) => {
    const target = localName(objects.get(`${rdfs}${predicate}`) ?? '')
    return target === undefined ? {} : { [member]: target }
  }
  if (kind === 'class') return { ...term, ...reference('parent', 'subClassOf') }
  const functional = types.has(`${owl}FunctionalProperty`) ? { functional: true } : {}
  return { ...term, ...reference('domain', 'domain'), ...reference('range', 'range'), ...functional }
}

/** The last part of an IRI as a name. */
const localName = (iri: string): string | undefined => nameFromLabel(iri.split(/[#/:]/).at(-1) ?? '')
