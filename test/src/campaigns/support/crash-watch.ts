import type { FollowedEvent } from './follower.js'
import type { Person } from './person.js'
import { createTab } from './tab.js'

const endNames = ['run.completed', 'run.failed', 'run.cancelled']

/** What the open tabs of some people see while the service goes down and comes back. */
export interface CrashWatch {
  /** Every tab goes on with the present process of the service. */
  connect(url: string): Promise<void>
  drop(): void
  /**
   * Resolves once this holds, which is looked at with each event and {@link look}; `false` when the
   * process ended, or after these milliseconds.
   */
  until(holds: () => boolean, options: { readonly ended: Promise<unknown>; readonly withinMs: number }): Promise<boolean>
  look(): void
  /** Runs that were seen to end. */
  readonly ended: ReadonlySet<string>
  /**
   * How often each person's tab saw an event; by `<name> <id of the run, the call or the message>`,
   * and `chat.summarised <id of the summary>`.
   */
  readonly seen: ReadonlyMap<string, number>
  shown(messageId: string): string
  /** How often a tab had to read a chat again. */
  gaps(): number
  settled(): Promise<void>
}

export function createCrashWatch(
  people: readonly Person[],
  problems: string[],
  onEvent: (person: Person, event: FollowedEvent) => void,
): CrashWatch {
  const seen = new Map<string, number>()
  const ended = new Set<string>()
  const looks = new Set<() => void>()

  const lookAgain = (): void => {
    for (const look of looks) look()
  }

  const tabs = people.map((person) =>
    createTab({
      name: person.username,
      person,
      problems,
      onEvent(event) {
        const { name, data } = event
        const run = String(data['run_id'])
        const message = data['message'] as { readonly id: string } | undefined
        const id = name.startsWith('message.') ? message?.id : name.startsWith('tool_call.') ? String(data['call_id']) : run
        if (!name.endsWith('.delta')) seen.set(`${name} ${id}`, (seen.get(`${name} ${id}`) ?? 0) + 1)
        const summary = data['compaction'] === 'done' ? (data['summary'] as { readonly id: string }) : undefined
        if (summary) seen.set(`chat.summarised ${summary.id}`, (seen.get(`chat.summarised ${summary.id}`) ?? 0) + 1)
        if (endNames.includes(name)) ended.add(run)
        onEvent(person, event)
        lookAgain()
      },
    }),
  )

  return {
    async connect(url) {
      await Promise.all(tabs.map((tab) => tab.connect(url)))
    },
    drop() {
      for (const tab of tabs) tab.drop()
    },
    until: (holds, options) =>
      new Promise((resolve) => {
        const finish = (result: boolean): void => {
          clearTimeout(timer)
          looks.delete(look)
          resolve(result)
        }
        const look = (): void => {
          if (holds()) finish(true)
        }
        const timer = setTimeout(() => finish(false), options.withinMs)
        looks.add(look)
        void options.ended.then(() => finish(false))
        look()
      }),
    look: lookAgain,
    ended,
    seen,
    shown: (messageId) => tabs.map((tab) => tab.shown(messageId)).join(''),
    gaps: () => tabs.reduce((sum, tab) => sum + tab.counts().gaps, 0),
    async settled() {
      await Promise.all(tabs.map((tab) => tab.settled()))
    },
  }
}
