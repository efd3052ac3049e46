import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeConfiguration } from '../../support/configuration.js'
import type { Random } from '../../support/random.js'
import type { JournalLine } from './effect-tools-folder.js'
import { effectToolNames, readJournal, writeEffectTools } from './effect-tools-folder.js'
import { allowTools, type Person, signUpPerson } from './person.js'
import { type PlannedModel, startPlannedModel } from './planned-model.js'
import { type ServiceLife, startLife } from './service-life.js'

/** At which commit a process kills itself. */
export interface Failpoint {
  readonly type: string
  readonly moment: 'before' | 'after'
  /** The N-th step of this type. */
  readonly count: number
  /** Counts from the start, not from {@link CrashSetting.arm}. */
  readonly atOnce: boolean
}

/** A service on one folder, with its people, tools and model, whose processes come and go. */
export interface CrashSetting {
  readonly model: PlannedModel
  readonly people: readonly Person[]
  /** Starts the next process. `onStep`: a step of a run became durable. */
  start(options: { readonly failpoint?: Failpoint; readonly onStep?: (type: string, runId: string) => void }): Promise<ServiceLife>
  /** From now on the failpoint counts. */
  arm(): Promise<void>
  /** Remembers that a process has ended. */
  noteKill(): Promise<void>
  journal(): Promise<readonly JournalLine[]>
  close(): Promise<void>
}

/** Makes the folder, signs the people up, and stops the service again. */
export async function openCrashSetting(random: Random, names: readonly string[]): Promise<CrashSetting> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-crashes-'))
  const model = await startPlannedModel(random)
  const tools = path.join(folder, 'tool-effects')
  const journal = path.join(folder, 'journal.jsonl')
  const armed = path.join(folder, 'armed')
  const environment = { SERVICE_PLUGINS_SOURCES: JSON.stringify([tools]), SERVICE_SERVER_SSE_PENDING_EVENTS_SECS: '120' }
  let life: ServiceLife | undefined

  const start: CrashSetting['start'] = async ({ failpoint, onStep }) => {
    await rm(armed, { force: true })
    const preload = new URL('../../programs/kill-at-step.js', import.meta.url)
    preload.searchParams.set('journal', journal)
    if (failpoint) {
      for (const name of ['type', 'moment', 'count'] as const) preload.searchParams.set(name, String(failpoint[name]))
      if (!failpoint.atOnce) preload.searchParams.set('armed', armed)
    }
    life = startLife({
      folder,
      environment,
      preload,
      onLine(line) {
        const [word, type, runId] = line.split(' ')
        if (word === 'step' && type !== undefined && runId !== undefined) onStep?.(type, runId)
      },
    })
    return life
  }

  const people: Person[] = []
  const close = async (): Promise<void> => {
    await life?.kill()
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await writeConfiguration(folder, model.url)
    await writeEffectTools(tools, { journal, receiver: model.receiver })
    const first = await start({})
    const url = await first.ready
    if (url === undefined) throw new Error(`The service did not start:\n${first.log.join('\n')}`)
    for (const name of names) {
      const person = await signUpPerson(url, name)
      // The last one wants to be asked about some.
      await allowTools(url, person, effectToolNames, name === names.at(-1) ? ['tool_checkable', 'tool_unsafe'] : [])
      people.push(person)
    }
    await first.kill()
  } catch (error) {
    await close()
    throw error
  }

  return {
    model,
    people,
    start,
    arm: () => writeFile(armed, ''),
    // On a line of its own, whatever the process was writing.
    noteKill: () => appendFile(journal, `\n${JSON.stringify({ kind: 'killed' })}\n`),
    journal: () => readJournal(journal),
    close,
  }
}
