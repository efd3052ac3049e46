import { Type, validate } from '@agent-service/sdk'
import { LineCounter, parseDocument, type YAMLError } from 'yaml'
import type { OntologyTerm } from './ontology.js'
import type { ParsedFile } from './parsed-file.js'

const name = '^[a-z][a-z0-9_]{0,63}$'
const label = Type.String({ minLength: 1, maxLength: 100 })
const description = Type.Optional(Type.String({ maxLength: 500 }))
const reference = Type.Optional(Type.String({ pattern: name }))

const file = Type.Object({
  ontology: Type.Literal(1),
  title: Type.Optional(Type.String({ maxLength: 100 })),
  classes: Type.Optional(
    Type.Record(Type.String({ pattern: name }), Type.Object({ label, description, parent: reference }), { additionalProperties: false }),
  ),
  properties: Type.Optional(
    Type.Record(
      Type.String({ pattern: name }),
      Type.Object({ label, description, domain: reference, range: reference, functional: Type.Optional(Type.Boolean()) }),
      { additionalProperties: false },
    ),
  ),
})

/** Reads the plain form, YAML or JSON. What is wrong names its line. */
export function parsePlain(text: string): ParsedFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, maxAliasCount: 0 } as Parameters<typeof parseDocument>[1])
  const [error] = document.errors
  if (error) return { line: lineOf(error, lines), problem: oneSentence(error) }
  const value: unknown = document.toJS({ maxAliasCount: 0 })
  const [problem] = validate(file, value)
  if (problem) {
    const path = problem.path
      .split('/')
      .slice(1)
      .filter((part) => part !== '')
    return { line: lineOfPath(document, path, lines), problem: `${problem.path} ${problem.message}` }
  }
  const { classes = {}, properties = {} } = value as Readonly<
    Record<'classes' | 'properties', Readonly<Record<string, Partial<OntologyTerm>>> | undefined>
  >
  return { terms: [...termsOf('class', classes), ...termsOf('property', properties)] }
}

const termsOf = (kind: OntologyTerm['kind'], terms: Readonly<Record<string, Partial<OntologyTerm>>>): readonly OntologyTerm[] =>
  Object.entries(terms).map(([key, term]) => ({ ...term, name: key, kind, label: term.label ?? key, description: term.description ?? '' }))

const lineOf = (error: YAMLError, lines: LineCounter): number => lines.linePos(error.pos[0]).line

/** The message without the excerpt that follows it. */
const oneSentence = ({ message }: YAMLError): string => (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '')

/** Of the place, or of what is nearest around it. */
function lineOfPath(document: ReturnType<typeof parseDocument>, path: readonly string[], lines: LineCounter): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) continue
    return lines.linePos(Number(node.range[0])).line
  }
  return 1
}
