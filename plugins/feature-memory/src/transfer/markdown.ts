import type { MemoryRecord, MemoryScope } from '@agent-service/sdk/contracts/memory-backend'
import { memoryTooLargeError } from '../common/errors.js'
import { limits } from '../common/limits.js'

/** What is told of an agent in headings. Undefined: it is not known any more. */
export type NameOf = (scope: MemoryScope) => Promise<string | undefined>

interface Section {
  readonly scope: MemoryScope
  readonly notes: string[]
  readonly pages: Map<string, { readonly title: string; readonly text: string }>
  readonly statements: { readonly pageId: string | undefined; readonly line: string }[]
  readonly playbooks: string[]
}

/**
 * Everything that is remembered as a text for people: by whose memory it is, pages with their
 * statements, playbooks, then notes. Forgotten ones are left out. @throws `memory_too_large`.
 */
export async function markdownOf(records: AsyncIterable<MemoryRecord>, nameOf: NameOf): Promise<string> {
  const sections = new Map<string, Section>()
  let size = 0
  for await (const record of records) {
    if (record.forgotten === true) continue
    size += Buffer.byteLength(record.text) + Buffer.byteLength(`${record.title ?? ''}${record.whenToUse ?? ''}`) + 100
    if (size > limits.maxMarkdownBytes) throw memoryTooLargeError.create({ maxBytes: limits.maxMarkdownBytes })
    add(sectionOf(sections, record.scope), record)
  }
  const order = { user: 0, agent: 1, space: 2 } as const
  const sorted = [...sections.values()].sort((one, other) => order[one.scope.kind] - order[other.scope.kind])
  const texts: string[] = ['# What is remembered']
  for (const section of sorted) texts.push(await textOf(section, nameOf))
  if (sorted.length === 0) texts.push('Nothing.')
  return `${texts.join('\n\n')}\n`
}

function sectionOf(sections: Map<string, Section>, scope: MemoryScope): Section {
  const key = JSON.stringify([scope.kind, idOf(scope)])
  const known = sections.get(key) ?? { scope, notes: [], pages: new Map(), statements: [], playbooks: [] }
  sections.set(key, known)
  return known
}

const idOf = (scope: MemoryScope): string => (scope.kind === 'agent' ? scope.agentId : scope.kind === 'space' ? scope.spaceId : '')

function add(section: Section, record: MemoryRecord): void {
  const line = `- ${indented(record.text)}${remarkOf(record)}`
  if (record.kind === 'summary') section.pages.set(record.id, { title: record.title ?? 'Summary', text: record.text })
  else if (record.kind === 'statement') section.statements.push({ pageId: record.pageId, line })
  else if (record.kind === 'playbook') section.playbooks.push(playbookText(record))
  else section.notes.push(line)
}

function playbookText({ title = 'Playbook', whenToUse, text }: MemoryRecord): string {
  const use = whenToUse === undefined ? [] : [`When to use: ${oneLine(whenToUse)}`]
  return [`#### ${oneLine(title)}`, ...use, text].join('\n\n')
}

function remarkOf({ pinned, createdAt, validFrom, validTo }: MemoryRecord): string {
  const dates = validFrom === undefined ? createdAt.slice(0, 10) : `from ${validFrom.slice(0, 10)}`
  return ` (${[dates, validTo === undefined ? '' : `until ${validTo.slice(0, 10)}`, pinned ? 'pinned' : ''].filter((word) => word !== '').join(', ')})`
}

async function textOf({ scope, notes, pages, statements, playbooks }: Section, nameOf: NameOf): Promise<string> {
  const name = oneLine((await nameOf(scope)) ?? idOf(scope))
  const heading = scope.kind === 'user' ? 'For all agents' : scope.kind === 'agent' ? `Of the agent ${name}` : `In the space ${name}`
  const parts = [`## ${heading}`]
  for (const [id, { title, text }] of pages) {
    const lines = statements.filter(({ pageId }) => pageId === id).map(({ line }) => line)
    parts.push([`### ${oneLine(title)}`, text, lines.join('\n')].filter((part) => part !== '').join('\n\n'))
  }
  const loose = statements.filter(({ pageId }) => pageId === undefined || !pages.has(pageId)).map(({ line }) => line)
  if (loose.length > 0) parts.push(`### Statements\n\n${loose.join('\n')}`)
  if (playbooks.length > 0) parts.push(`### Playbooks\n\n${playbooks.join('\n\n')}`)
  if (notes.length > 0) parts.push(`### Notes\n\n${notes.join('\n')}`)
  return parts.join('\n\n')
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const indented = (text: string): string => text.trim().replaceAll('\n', '\n  ')
