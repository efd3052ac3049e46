import type { Random } from '../../support/random.js'
import type { RunEvidence } from './crash-evidence.js'
import type { CrashPerson } from './crash-setting.js'
import { effectToolNames } from './effect-tools-folder.js'
import type { FollowedEvent } from './follower.js'
import { ask, askFor, messagesOf, newChat, type Person, post, summariesOf, textOf } from './person.js'
import type { Plan } from './planned-model.js'

const callsOfRun = 6

/** The runs of a campaign, written by people over whatever process of the service there is. */
export interface CrashRuns {
  /** Makes up some more. They are there once they are posted. */
  plan(count: number): void
  /**
   * Posts what is not posted yet. Where a process went down in the middle of a post, the person
   * looks first whether the message is there. Ends quietly when the service goes away.
   */
  post(url: string): Promise<void>
  /**
   * A person's tab has got this: they answer what they are asked, and write something more where
   * that is planned.
   */
  see(url: string, person: Person, event: FollowedEvent): void
  /** Repeats answers that are not confirmed: an answer may be lost with a process. */
  answerAll(url: string): void
  /** The runs that the service has said to have, or that were found. */
  readonly posted: ReadonlySet<string>
  unposted(): number
  /** What the service says of some runs: for the report of a run that does not get on. */
  describe(url: string, ids: readonly string[]): Promise<string>
  /** What has become of all of them. */
  evidence(url: string): Promise<readonly RunEvidence[]>
}

interface Entry {
  readonly plan: Plan
  readonly person: Person
  chatId?: string
  runId?: string
  /** A post was under way when the service went away. */
  unsure?: boolean
  notes: { readonly text: string; sure: boolean }[]
}

export function createCrashRuns(random: Random, people: readonly CrashPerson[]): CrashRuns {
  const entries: Entry[] = []
  const posted = new Set<string>()
  /** Calls that a person is asked about; by their ids, where to answer. */
  const questions = new Map<string, { readonly person: Person; readonly path: string }>()

  const keep = (entry: Entry, runId: string): void => {
    entry.runId = runId
    posted.add(runId)
  }

  const send = async (url: string, entry: Entry): Promise<void> => {
    entry.chatId ??= await newChat(url, entry.person)
    if (entry.unsure) {
      const [written] = await messagesOf(url, entry.person, entry.chatId)
      const found = written?.run_id
      if (found !== undefined) return keep(entry, found)
    }
    entry.unsure = true
    keep(entry, await post(url, entry.person, entry.chatId, JSON.stringify(entry.plan)))
  }

  const answer = (url: string, person: Person, path: string): void => {
    // A service that has stopped gets it later.
    ask(url, person, 'POST', path, { decision: 'approve' }).catch(() => undefined)
  }

  const writeNote = async (url: string, entry: Entry): Promise<void> => {
    const note = { text: `a note for ${entry.plan.name}`, sure: false }
    entry.notes.push(note)
    const { status, body } = await ask(url, entry.person, 'POST', `/api/chats/${entry.chatId}/messages`, { content: note.text })
    // A chat with a run may take nothing more.
    if (status !== 202) entry.notes = []
    if (status !== 202) return
    note.sure = true
    posted.add((body['run'] as { readonly id: string }).id)
  }

  /** Where a process went down in the middle of a note, the person looks whether it is there. */
  const lookForNotes = async (url: string): Promise<void> => {
    for (const { person, chatId = '', notes } of entries) {
      for (const note of notes.filter(({ sure }) => !sure)) {
        const found = (await messagesOf(url, person, chatId)).find((message) => textOf(message) === note.text)
        if (!found) continue
        note.sure = true
        if (found.run_id !== undefined) posted.add(found.run_id)
      }
    }
  }

  return {
    plan(count) {
      for (let made = 0; made < count; made += 1) {
        const person = people[made % people.length]
        if (person) entries.push({ plan: planFor(random, `run-${entries.length}`, person), person, notes: [] })
      }
    },
    async post(url) {
      await lookForNotes(url).catch(() => undefined)
      const queue = entries.filter(({ runId }) => runId === undefined)
      const worker = async (): Promise<void> => {
        for (let entry = queue.shift(); entry; entry = queue.shift()) await send(url, entry)
      }
      const ended = await Promise.allSettled(Array.from({ length: 8 }, worker))
      const refused = ended.find((end) => end.status === 'rejected' && / answered [45]/.test(String(end.reason)))
      if (refused?.status === 'rejected') throw refused.reason
    },
    see(url, person, { name, data }) {
      const runId = String(data['run_id'])
      const asked = data['approval'] as { readonly call_id: string } | undefined
      const callId = asked?.call_id ?? String(data['call_id'])
      if (name === 'approval.requested') {
        const path = `/api/runs/${runId}/approvals/${callId}`
        questions.set(callId, { person, path })
        answer(url, person, path)
      }
      if (name === 'approval.resolved') questions.delete(callId)
      if (name !== 'tool_call.started') return
      const entry = entries.find((candidate) => candidate.runId === runId)
      if (entry?.plan.note && entry.notes.length === 0) void writeNote(url, entry).catch(() => undefined)
    },
    answerAll(url) {
      for (const { person, path } of questions.values()) answer(url, person, path)
    },
    posted,
    unposted: () => entries.filter(({ runId }) => runId === undefined).length,
    async describe(url, ids) {
      const lines = entries
        .filter(({ runId }) => runId !== undefined && ids.includes(runId))
        .map(async ({ person, plan, runId }) => {
          const run = await ask(url, person, 'GET', `/api/runs/${runId}`).catch((error: unknown) => ({
            status: 0,
            body: { error: String(error) },
          }))
          return `${plan.name}: ${JSON.stringify(run.body)}`
        })
      return [`${ids.length} runs do not get on:`, ...(await Promise.all(lines))].join('\n')
    },
    async evidence(url) {
      const found: RunEvidence[] = []
      for (const { plan, person, chatId = '', runId = '', notes } of entries) {
        const run = (await askFor(200, url, person, 'GET', `/api/runs/${runId}`)) as {
          readonly status: string
          readonly failure: { readonly code: string; readonly message: string } | null
        }
        const messages = await messagesOf(url, person, chatId)
        const summaries = await summariesOf(url, person, chatId)
        const failure = run.failure ? `${run.failure.code}: ${run.failure.message}` : undefined
        found.push({ plan, runId, status: run.status, failure, messages, summaries, notes })
      }
      return found
    },
  }
}

/**
 * Six calls, spread over turns of one to three; every eighth run ends with a refusal of the model.
 * In a small window every run has long answers.
 */
function planFor(random: Random, name: string, { smallWindow }: CrashPerson): Plan {
  const turns: Plan['turns'][number][] = []
  for (let left = callsOfRun; left > 0; ) {
    const size = Math.min(left, random.pick([1, 1, 1, 2, 3]))
    // Reads may run beside each other.
    const together = size > 1 && random.next() < 0.4
    turns.push(
      Array.from({ length: size }, () => ({ tool: together ? 'tool__read' : random.pick(effectToolNames), pause: random.between(0, 25) })),
    )
    left -= size
  }
  return {
    ...{ name, turns, note: random.next() < 1 / 4, ends: random.next() < 1 / 8 ? 'refusal' : 'answer' },
    ...(smallWindow ? { outgrows: random.pick(['budget', 'overflow'] as const) } : {}),
  }
}
