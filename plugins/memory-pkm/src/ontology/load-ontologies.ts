import { open, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Resources } from '@agent-service/sdk/services/resources'
import { createOntology, type Ontology, type OntologyTerm } from './ontology.js'
import { parsePlain } from './parse-plain.js'
import { parseTurtle } from './parse-turtle.js'
import type { ParsedFile } from './parsed-file.js'

/** A file that is not used. */
export interface OntologyProblem {
  readonly file: string
  /** From 1; absent: the file as a whole. */
  readonly line?: number
  readonly problem: string
}

/** What was loaded. */
export interface LoadedOntologies {
  readonly ontology: Ontology
  /** The names of the files in use, bundled ones first. */
  readonly files: readonly string[]
  readonly problems: readonly OntologyProblem[]
}

/** The folder of the bundled files, below `storage.shared_config_dir`. */
const bundledFolder = 'ontology'
const maxFiles = 100
const maxBytes = 1_048_576
const maxTerms = 5_000
const endings = new Set(['.yaml', '.yml', '.json', '.ttl'])

/**
 * Loads the bundled files, then every file of the operator's folder, which need not be there. A file
 * of the operator's replaces the bundled one of its name, and its terms win over bundled ones. A
 * broken file is left out alone, and the problem names its line.
 */
export async function loadOntologies({
  resources,
  folder,
}: {
  readonly resources: Resources
  readonly folder: string
}): Promise<LoadedOntologies> {
  const problems: OntologyProblem[] = []
  const own = await readFolder(folder, problems)
  const replaced = new Set([...own.keys()].map((name) => path.parse(name).name))
  const texts: [string, string][] = []
  for (const name of (await resources.list(bundledFolder)).filter(isOntology))
    if (!replaced.has(path.parse(name).name)) texts.push([name, await resources.read(`${bundledFolder}/${name}`)])
  texts.push(...own)
  const terms: OntologyTerm[] = []
  const files: string[] = []
  for (const [file, text] of texts) {
    const parsed = path.extname(file) === '.ttl' ? parseTurtle(text) : parsePlain(text)
    const problem = problemOf(file, parsed, terms.length)
    if (problem) problems.push(problem)
    else if ('terms' in parsed) {
      terms.push(...parsed.terms)
      files.push(file)
    }
  }
  return { ontology: createOntology(terms), files, problems }
}

const isOntology = (name: string): boolean => endings.has(path.extname(name)) && !name.startsWith('.')

function problemOf(file: string, parsed: ParsedFile, known: number): OntologyProblem | undefined {
  if ('problem' in parsed) return { file, ...parsed }
  if (parsed.terms.length === 0) return { file, problem: 'has no classes and no properties' }
  return known + parsed.terms.length > maxTerms ? { file, problem: `brings the terms above ${maxTerms}, which is the most` } : undefined
}

async function readFolder(folder: string, problems: OntologyProblem[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  let names: readonly string[]
  try {
    names = (await readdir(folder)).filter(isOntology).sort()
  } catch (error) {
    if (!isMissing(error)) problems.push({ file: folder, problem: `cannot be read: ${messageOf(error)}` })
    return texts
  }
  for (const name of names.slice(maxFiles))
    problems.push({ file: name, problem: `is one of more than ${maxFiles} files, which is the most` })
  for (const name of names.slice(0, maxFiles)) {
    try {
      texts.set(name, await readText(path.join(folder, name)))
    } catch (error) {
      problems.push({ file: name, problem: `cannot be read: ${messageOf(error)}` })
    }
  }
  return texts
}

async function readText(file: string): Promise<string> {
  const handle = await open(file, 'r')
  try {
    const facts = await handle.stat()
    if (!facts.isFile()) throw new Error('it is no file')
    if (facts.size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`)
    return new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile())
  } finally {
    await handle.close()
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
