import type { FollowedEvent } from './follower.js'
import { messagesOf, type Person, textOf } from './person.js'
import type { Story } from './stories.js'
import type { SeenState, Tab } from './tab.js'

/** The deltas of a tab, to be compared with the story of its run. */
export interface DeltaCheck {
  see(event: FollowedEvent): void
  /** Every text in a wrong position, a sentence each. */
  problems(storyOf: (runId: string) => string | undefined): readonly string[]
  count(): number
}

export function createDeltaCheck(name: string): DeltaCheck {
  const deltas: { readonly id: number; readonly runId: string; readonly offset: number; readonly text: string }[] = []
  return {
    see({ id, name: event, data }) {
      if (event !== 'text.delta') return
      deltas.push({ id, runId: String(data['run_id']), offset: Number(data['offset']), text: String(data['text']) })
    },
    problems: (storyOf) =>
      deltas.flatMap(({ id, runId, offset, text }) => {
        const wanted = storyOf(runId)?.slice(offset, offset + text.length)
        if (wanted !== text) return [`${name}: the delta ${id} has “${text}” at ${offset}, where the story has “${wanted ?? 'nothing'}”`]
        return isWellFormed(text) ? [] : [`${name}: the delta ${id} has half a character`]
      }),
    count: () => deltas.length,
  }
}

/** The differences between two tabs in the state events of the chats that both show. */
export function disagreements(name: string, seen: readonly SeenState[], reference: readonly SeenState[]): readonly string[] {
  const lines = seen.map(({ id, name: event }) => `${id} ${event}`)
  const wanted = reference.map(({ id, name: event }) => `${id} ${event}`)
  const known = new Set(lines)
  const missing = wanted.filter((line) => !known.has(line))
  if (missing.length > 0) return [`${name} has missed ${missing.length} state events, the first is ${missing[0]}`]
  const place = lines.findIndex((line, index) => line !== wanted[index])
  return place === -1
    ? []
    : [`${name} has seen ${lines[place]} as its state event ${place}, where another tab saw ${wanted[place] ?? 'none'}`]
}

/** Compares each stored story with its text and with each tab. */
export async function textProblems(
  url: string,
  person: Person,
  stories: readonly Story[],
  tabs: ReadonlyMap<string, Tab>,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const { chatId, runId, text } of stories) {
    const messages = await messagesOf(url, person, chatId)
    const answer = messages.at(-1)
    if (messages.length !== 2 || answer?.status !== 'complete')
      problems.push(`the run ${runId} left ${messages.length} messages, the last ${answer?.status}`)
    if (textOf(answer) !== text)
      problems.push(`the answer of ${runId} is stored as ${textOf(answer).length} code units that are not its story of ${text.length}`)
    for (const [name, tab] of tabs) {
      const shown = tab.shown(answer?.id ?? '')
      if (shown !== text) problems.push(`${name} shows ${shown.length} code units of ${runId} that are not its story of ${text.length}`)
    }
  }
  return problems
}

/** Half a character does not survive UTF-8. */
const isWellFormed = (text: string): boolean => Buffer.from(text).toString() === text
