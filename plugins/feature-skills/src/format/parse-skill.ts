import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'
import { limits, skillFileName } from '../common/limits.js'

/** What SKILL.md says. */
export interface SkillDocument {
  readonly name: string
  readonly description: string
  readonly license: string | null
  readonly compatibility: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly allowedTools: readonly string[]
  /** The Markdown behind the front matter. */
  readonly body: string
}

/** What keeps a skill from being used. */
export interface SkillProblem {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly message: string
}

/** Either member is there, never both. */
export type ParsedSkill =
  | { readonly document: SkillDocument; readonly problem?: undefined }
  | { readonly document?: undefined; readonly problem: SkillProblem }

export const skillNamePattern = '^[a-z0-9]+(-[a-z0-9]+)*$'
const namePattern = new RegExp(skillNamePattern)
const maxName = 64
const maxDescription = 1_024
const maxCompatibility = 500
const maxMetadata = 50

/** Whether a text is the name of a skill, and so of its folder. */
export const isSkillName = (name: string): boolean => name.length <= maxName && namePattern.test(name)

class Invalid extends Error {
  readonly offset: number | undefined

  constructor(message: string, offset?: number) {
    super(message)
    this.offset = offset
  }
}

/**
 * Reads SKILL.md: YAML front matter between lines of `---`, then Markdown. `folder`: the name that
 * it must have; absent: any. Never throws. Members that the format does not know are ignored.
 */
export function parseSkill(bytes: Uint8Array, folder?: string): ParsedSkill {
  const problem = (line: number, message: string): ParsedSkill => ({ problem: { file: skillFileName, line, message } })
  if (bytes.byteLength > limits.maxDocumentBytes) return problem(1, `it has more than ${limits.maxDocumentBytes} bytes`)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return problem(1, 'it is not UTF-8')
  }
  const lines = text.split(/\r?\n/)
  if (lines[0]?.trimEnd() !== '---') return problem(1, 'it must begin with a line “---” and front matter')
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
  if (end < 0) return problem(1, 'the front matter has no end: a line “---” is missing')
  const counter = new LineCounter()
  const document = parseDocument(lines.slice(1, end).join('\n'), {
    lineCounter: counter,
    uniqueKeys: true,
    schema: 'core',
    prettyErrors: false,
  })
  const lineOf = (offset: number): number => counter.linePos(offset).line + 1
  const [error] = document.errors
  if (error) return problem(lineOf(error.pos[0]), `the front matter is not YAML: ${firstLine(error.message)}`)
  try {
    if (!isMap(document.contents)) throw new Invalid('the front matter must have “name” and “description”', 0)
    const found = readMembers(document.contents as YAMLMap<Node, Node | null>)
    if (folder !== undefined && found.name.value !== folder)
      throw new Invalid(`“name” is “${found.name.value}”, but its folder is “${folder}”; both must be the same`, found.name.offset)
    const { name, ...rest } = found
    return {
      document: {
        ...rest,
        name: name.value,
        body: lines
          .slice(end + 1)
          .join('\n')
          .trim(),
      },
    }
  } catch (error) {
    if (error instanceof Invalid) return problem(error.offset === undefined ? 2 : lineOf(error.offset), error.message)
    throw error
  }
}

function readMembers(map: YAMLMap<Node, Node | null>) {
  const nodeOf = (key: string): { readonly node: Node | null; readonly offset: number | undefined } | undefined => {
    const pair = map.items.find((item) => isScalar(item.key) && item.key.value === key)
    return pair && { node: pair.value, offset: pair.key.range?.[0] }
  }
  const text = (key: string, max: number): { readonly value: string; readonly offset: number | undefined } | undefined => {
    const found = nodeOf(key)
    if (found === undefined) return undefined
    const { node, offset } = found
    if (!isScalar(node) || typeof node.value !== 'string') throw new Invalid(`“${key}” must be a text`, offset)
    const value = node.value.trim()
    if (value === '' || value.length > max) throw new Invalid(`“${key}” must have 1 to ${max} characters; it has ${value.length}`, offset)
    if (/[\p{Cc}]/u.test(value.replaceAll(/[\n\t]/g, ' '))) throw new Invalid(`“${key}” has control characters`, offset)
    return { value, offset }
  }
  const name = text('name', maxName)
  if (!name) throw new Invalid('“name” is missing')
  if (!namePattern.test(name.value))
    throw new Invalid(`“name” is “${name.value}”; it must be lower-case letters and digits with single “-” between them`, name.offset)
  const description = text('description', maxDescription)
  if (!description) throw new Invalid('“description” is missing: it says what the skill does and when to use it')
  return {
    name,
    description: description.value,
    license: text('license', maxCompatibility)?.value ?? null,
    compatibility: text('compatibility', maxCompatibility)?.value ?? null,
    metadata: metadataOf(nodeOf('metadata')),
    allowedTools: toolsOf(nodeOf('allowed-tools')),
  }
}

type Found = { readonly node: Node | null; readonly offset: number | undefined } | undefined

function metadataOf(found: Found): Readonly<Record<string, string>> {
  if (found === undefined || found.node === null) return {}
  const { node, offset } = found
  if (!isMap(node) || node.items.length > maxMetadata) throw new Invalid(`“metadata” must be a map of at most ${maxMetadata} texts`, offset)
  const entries = (node as YAMLMap<Node, Node | null>).items.map(({ key, value }): readonly [string, string] => {
    if (!isScalar(key) || !isScalar(value) || typeof value.value === 'object')
      throw new Invalid('“metadata” must be a map of texts', offset)
    return [String(key.value).slice(0, maxName), String(value.value).slice(0, maxDescription)]
  })
  return Object.fromEntries(entries)
}

function toolsOf(found: Found): readonly string[] {
  if (found === undefined || found.node === null) return []
  const { node, offset } = found
  if (isScalar(node) && typeof node.value === 'string') return node.value.split(/[\s,]+/).filter((tool) => tool !== '')
  if (isSeq(node) && node.items.every((item) => isScalar(item) && typeof item.value === 'string'))
    return node.items.map((item) => (isScalar(item) ? String(item.value) : ''))
  throw new Invalid('“allowed-tools” must be names with spaces between them', offset)
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').replace(/[.:]$/, '')
