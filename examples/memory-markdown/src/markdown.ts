import { defineError } from '@agent-service/sdk'
import type { MemoryRecord } from '@agent-service/sdk/contracts/memory-backend'

/** A line of the file is not what this plugin writes there. */
export const memoryFileDamagedError = defineError<{ readonly line: number }>({
  code: 'memory_file_damaged',
  status: 422,
  title: 'Memory file damaged',
  message: ({ line }) => `Line ${line} of Memory/memories.md begins a memory, but what follows is no JSON. Repair or remove it.`,
})

const head = '# Memories\n\nWhat agents remember. Edit the quoted texts as you like; the comments belong to the program.\n'

/** All memories as one file: a comment with the data of each, and its text as a quotation. */
export function writeMarkdown(records: Iterable<MemoryRecord>): string {
  const sections = [...records].map(({ text, ...data }) => {
    const comment = JSON.stringify(data).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')
    const quoted =
      text === ''
        ? ''
        : `\n\n${text
            .split('\n')
            .map((line) => (line === '' ? '>' : `> ${line}`))
            .join('\n')}`
    return `\n<!-- memory ${comment} -->${quoted}\n`
  })
  return head + sections.join('')
}

/** The memories in a file. Lines that are neither a comment of this plugin nor a quotation are left out. */
export function readMarkdown(file: string): ReadonlyMap<string, MemoryRecord> {
  const entries = new Map<string, MemoryRecord>()
  let current: { readonly data: Omit<MemoryRecord, 'text'>; readonly lines: string[] } | undefined
  const finish = (): void => {
    if (current === undefined) return
    entries.set(current.data.id, { ...current.data, text: current.lines.join('\n') })
  }
  for (const [index, line] of file.split('\n').entries()) {
    const comment = /^<!-- memory (.*) -->$/.exec(line)?.[1]
    if (comment !== undefined) {
      finish()
      current = { data: readComment(comment, index + 1), lines: [] }
    } else if (line.startsWith('>')) current?.lines.push(line.slice(line.startsWith('> ') ? 2 : 1))
  }
  finish()
  return entries
}

function readComment(comment: string, line: number): Omit<MemoryRecord, 'text'> {
  try {
    return JSON.parse(comment)
  } catch (cause) {
    throw memoryFileDamagedError.create({ line }, { cause })
  }
}
