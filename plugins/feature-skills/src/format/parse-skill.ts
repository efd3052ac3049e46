import { isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from 'yaml'
import { limits, skillFileName } from '../common/limits.js'
import { type LineNote, readFrontMatter } from './front-matter.js'
import { hiddenCharactersOf } from './hidden-characters.js'

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
  /** What its author should mend, although the skill works. */
  readonly warnings: readonly SkillProblem[]
}

/** A place in a file of a skill, and what is wrong there. */
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
const maxTools = 100
const maxWarnings = 20

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
 * it must have; absent: any. Never throws. Members that the format does not know are ignored, and so
 * is, with a warning, what is wrong in members that a skill can do without.
 */
export function parseSkill(bytes: Uint8Array, folder?: string): ParsedSkill {
  const noteOf = ({ line, message }: LineNote): SkillProblem => ({ file: skillFileName, line, message })
  const problem = (line: number, message: string): ParsedSkill => ({ problem: noteOf({ line, message }) })
  if (bytes.byteLength > limits.maxDocumentBytes) return problem(1, `it has more than ${limits.maxDocumentBytes} bytes`)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return problem(1, 'it is not UTF-8; save it in this encoding')
  }
  const front = readFrontMatter(text)
  if (front.problem) return { problem: noteOf(front.problem) }
  const { map, lineOf, body } = front
  const lineAt = (offset: number | undefined): number => (offset === undefined ? lineOf(0) : lineOf(offset))
  const members = createMembers(map)
  try {
    const document = readMembers(members, folder)
    const written = { line: lineAt(members.get('description')?.offset), text: document.description }
    const warnings = [
      ...hiddenNotes(text, written),
      ...front.warnings,
      ...members.warnings.map(({ offset, message }) => ({ line: lineAt(offset), message })),
    ]
    if (body === '') warnings.push({ line: lineAt(undefined), message: 'there are no instructions below the front matter' })
    return { document: { ...document, body, warnings: warnings.slice(0, maxWarnings).map(noteOf) } }
  } catch (error) {
    if (error instanceof Invalid) return problem(lineAt(error.offset), error.message)
    throw error
  }
}

/** The first place that has what a person who reads the skill does not see: a line of the file, or a text that is written with escapes. */
function hiddenNotes(text: string, written: { readonly line: number; readonly text: string }): readonly LineNote[] {
  const lines = text.split(/\r\n|\n|\r/).map((each, index) => ({ line: index + 1, text: each }))
  for (const { line, text: each } of [...lines, written]) {
    const characters = hiddenCharactersOf(each)
    if (characters !== undefined) return [{ line, message: `${hiddenProblem}: ${characters}` }]
  }
  return []
}

const hiddenProblem = 'has characters that screens do not show, or that turn the direction of text; read them before you use the skill'

interface Member {
  readonly node: Node | null
  readonly offset: number | undefined
}

/** The members of the front matter, and what is to be said about them. */
interface Members {
  /** `undefined` if it is left out. @throws `Invalid` if it is there twice. */
  get(key: string): Member | undefined
  /** A member that differs from the key in upper and lower case alone, as it is written. */
  like(key: string): string | undefined
  warn(member: Member, message: string): void
  readonly warnings: readonly { readonly offset: number | undefined; readonly message: string }[]
}

function createMembers(map: YAMLMap<Node, Node | null>): Members {
  const warnings: { readonly offset: number | undefined; readonly message: string }[] = []
  return {
    warnings,
    like: (key) => map.items.map(({ key: node }) => String(isScalar(node) ? node.value : '')).find((each) => each.toLowerCase() === key),
    warn: ({ offset }, message) => warnings.push({ offset, message }),
    get(key) {
      const [pair, again] = map.items.filter((item) => isScalar(item.key) && item.key.value === key)
      if (again) throw new Invalid(`“${key}” is there twice; keep one of them`, again.key.range?.[0])
      return pair && { node: pair.value, offset: pair.key.range?.[0] }
    },
  }
}

function readMembers(members: Members, folder: string | undefined): Omit<SkillDocument, 'body' | 'warnings'> {
  const name = readName(members, folder)
  const description = requiredText(members, 'description', maxDescription)
  if (description === undefined) {
    const empty = members.get('description')
    if (empty)
      throw new Invalid(
        '“description” is empty: write what the skill does and when to use it behind the colon, or indented below it',
        empty.offset,
      )
    throw new Invalid(`“description” is missing: it says what the skill does and when to use it${otherCase(members, 'description')}`)
  }
  return {
    name,
    description,
    license: optionalText(members, 'license'),
    compatibility: optionalText(members, 'compatibility'),
    metadata: metadataOf(members),
    allowedTools: toolsOf(members),
  }
}

function readName(members: Members, folder: string | undefined): string {
  const given = requiredText(members, 'name', maxName)
  const member = members.get('name')
  if (given === undefined || !member) throw new Invalid(`“name” is missing${otherCase(members, 'name')}`)
  const name = given.toLowerCase().replaceAll(/[\s_]+/g, '-')
  if (!namePattern.test(name))
    throw new Invalid(`“name” is “${given}”; it must be lower-case letters and digits with single “-” between them`, member.offset)
  if (folder !== undefined && name !== folder) throw new Invalid(otherFolder(given, name, folder), member.offset)
  if (name !== given) members.warn(member, `“name” is “${given}” and is read as “${name}”; write it so`)
  return name
}

function otherCase(members: Members, key: string): string {
  const given = members.like(key)
  return given === undefined || given === key ? '' : `; there is “${given}”, write it in lower case`
}

const otherFolder = (given: string, name: string, folder: string): string =>
  `“name” is “${given}”, but its folder is “${folder}”; ${isSkillName(folder) ? `both must be the same: write “name: ${folder}”, or` : 'a folder has lower-case letters, digits and single “-”:'} rename the folder to “${name}”`

/** The text of a scalar as it was written (`1.0` stays `1.0`); `undefined` for no value. */
function textOfScalar({ value, source }: Scalar): string | undefined {
  if (value === null || value === undefined) return undefined
  const text = typeof value === 'string' ? value : (source ?? String(value))
  return text.trim() === '' ? undefined : text.trim()
}

/** @throws `Invalid` if it is there and no text. */
function requiredText(members: Members, key: string, max: number): string | undefined {
  const member = members.get(key)
  if (member === undefined || member.node === null) return undefined
  const { node, offset } = member
  if (!isScalar(node)) throw new Invalid(`“${key}” must be a text; put it in quotes`, offset)
  const value = textOfScalar(node)
  const comment = node.comment?.split('\n')[0]?.trim()
  if (comment)
    members.warn(member, `“# ${comment.slice(0, 60)}” is a comment in YAML and not part of “${key}”; put the text in quotes if it is`)
  if (value === undefined) return undefined
  if (value.length > max) throw new Invalid(`“${key}” must have 1 to ${max} characters; it has ${value.length}`, offset)
  if (/[\p{Cc}]/u.test(value.replaceAll(/[\n\t]/g, ' '))) throw new Invalid(`“${key}” has control characters`, offset)
  return value
}

/** Null for what is no text of the right length: the skill works without it. */
function optionalText(members: Members, key: string): string | null {
  const member = members.get(key)
  if (member === undefined || member.node === null) return null
  const value = isScalar(member.node) ? textOfScalar(member.node) : undefined
  if (value !== undefined && value.length <= maxCompatibility && !/[\p{Cc}]/u.test(value.replaceAll(/[\n\t]/g, ' '))) return value
  if (!isScalar(member.node) || value !== undefined)
    members.warn(member, `“${key}” must be a text of at most ${maxCompatibility} characters; it is ignored`)
  return null
}

/** The texts of `metadata`. Products keep data of their own there, in any form: it is left out. */
function metadataOf(members: Members): Readonly<Record<string, string>> {
  const member = members.get('metadata')
  if (member === undefined || isEmpty(member.node)) return {}
  if (!isMap(member.node)) {
    members.warn(member, '“metadata” must be a map of texts; it is ignored')
    return {}
  }
  const entries: (readonly [string, string])[] = []
  const others: string[] = []
  for (const { key, value } of (member.node as YAMLMap<Node, Node | null>).items) {
    const text = isScalar(value) ? textOfScalar(value) : undefined
    if (isScalar(key) && text !== undefined && entries.length < maxMetadata)
      entries.push([String(key.value).slice(0, maxName), text.slice(0, maxDescription)])
    else if (!isEmpty(value)) others.push(isScalar(key) ? String(key.value).slice(0, maxName) : 'a key that is no text')
  }
  if (others.length > 0)
    members.warn(
      member,
      `of “metadata” only texts are used, at most ${maxMetadata}; ignored: ${others.slice(0, 5).join(', ')}${others.length > 5 ? ', …' : ''}`,
    )
  return Object.fromEntries(entries)
}

/** Names with commas or blanks between them, or a list of them. What stands in parentheses stays whole: `Bash(git status:*)`. */
function toolsOf(members: Members): readonly string[] {
  const member = members.get('allowed-tools')
  if (member === undefined || isEmpty(member.node)) return []
  const { node } = member
  const items: readonly unknown[] = isSeq(node) ? node.items : [node]
  const tools = items.flatMap((item) => {
    const text = isScalar(item) ? textOfScalar(item) : undefined
    if (text === undefined) return []
    return isSeq(node) ? [text] : (text.match(/(?:[^\s,(]|\([^)]*\)?)+/g) ?? [])
  })
  if (tools.length > maxTools || items.some((item) => !isScalar(item)))
    members.warn(member, `“allowed-tools” must be at most ${maxTools} names with commas between them; the rest is ignored`)
  return tools.slice(0, maxTools)
}

const isEmpty = (node: Node | null): boolean => node === null || (isScalar(node) && textOfScalar(node) === undefined)
