import type { MemoryChanges, MemoryView } from '../store/user-memories.js'
import { indexOf } from '../store/view-index.js'
import { emptied } from './emptied.js'

/** What belongs to a memory and changes with it. */
export interface Companions {
  /** The statement of a short memory, or the short memories of a statement. */
  readonly same: readonly string[]
  /** The page of the statement, whose body repeats it. */
  readonly pageId?: string
  /** Of a page: its statements. */
  readonly parts: readonly string[]
  /** Questions that repeat what it says. */
  readonly questions: readonly string[]
}

export function companionsOf(view: MemoryView, id: string): Companions {
  const memory = view.memories.get(id)
  if (!memory) return { same: [], parts: [], questions: [] }
  const { statementsOf, shortsOf, questionsOf } = indexOf(view)
  if (memory.type === 'page') return { same: [], parts: statementsOf.get(id) ?? [], questions: [] }
  const statementId = memory.type === 'statement' ? id : memory.type === 'short' ? memory.statement_id : null
  if (statementId === null) return { same: [], parts: [], questions: [] }
  const found = view.memories.get(statementId)
  const same = [statementId, ...(shortsOf.get(statementId) ?? [])].filter((each) => each !== id)
  const questions = (questionsOf.get(statementId) ?? []).filter((each) => each !== id)
  return { same, parts: [], questions, ...(found?.type === 'statement' && { pageId: found.page_id }) }
}

/** Lets questions go whose matter is settled; what was said stays open to be learnt. */
export function dropQuestions({ get, put }: MemoryChanges, questions: readonly string[], at: string): void {
  for (const id of questions) {
    const question = get(id)
    if (question && !question.forgotten) put(emptied(question, at))
  }
}
