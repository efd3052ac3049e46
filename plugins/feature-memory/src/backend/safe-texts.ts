import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import type { MemoryRecord } from '@agent-service/sdk/contracts/memory-backend'
import type { Redaction } from '@agent-service/sdk/services/secrets'
import { limits } from '../common/limits.js'
import { plainLine, plainText } from '../common/plain-text.js'

/** What every text goes through before any back end stores it. */
export interface SafeTexts {
  /** Without invisible characters, and with known secrets masked. @throws `invalid_request` for one that is empty then. */
  text(text: string): string
  /** The same for everything in a record that is text. One that is forgotten has none, and is not pinned. */
  record(record: MemoryRecord): MemoryRecord
}

export function createSafeTexts({ redact }: Pick<Redaction, 'redact'>): SafeTexts {
  // Invisible characters go first: a secret must not hide behind one.
  const safe = (text: string): string => redact(plainText(text))
  const safeValue = (value: unknown): unknown => {
    if (typeof value === 'string') return safe(value)
    if (Array.isArray(value)) return value.map(safeValue)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, safeValue(member)]))
  }
  return {
    text(text) {
      // A mask may be longer than what it masks.
      const made = plainText(safe(text).slice(0, limits.maxTextLength)).trim()
      if (made === '')
        throw invalidRequestError.create({ where: 'body' }, { problems: [{ path: '/text', message: 'must have a visible character' }] })
      return made
    },
    record: (record) => ({
      ...record,
      ...(record.forgotten === true ? { text: '', pinned: false } : { text: safe(record.text) }),
      ...(record.title !== undefined && { title: redact(plainLine(record.title)) }),
      ...(record.whenToUse !== undefined && { whenToUse: redact(plainLine(record.whenToUse)) }),
      ...(record.details !== undefined && { details: safeValue(record.details) as NonNullable<MemoryRecord['details']> }),
    }),
  }
}
