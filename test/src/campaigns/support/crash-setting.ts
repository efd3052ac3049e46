import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeConfiguration } from '../../support/configuration.js'
import { fewPlugins } from '../../support/few-plugins.js'
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

/** Who is to be there. */
export interface CrashPersonOptions {
  readonly username: string
  /** Tools about which they want to be asked. */
  readonly asked?: readonly (typeof effectToolNames)[number][]
  /** Their agent's model has a small window. */
  readonly smallWindow?: boolean
}

/** A person in the setting. */
export interface CrashPerson extends Person {
  readonly smallWindow: boolean
}

/** A service on one folder, with its people, tools and model, whose processes come and go. */
export interface CrashSetting {
  readonly model: PlannedModel
  readonly people: readonly CrashPerson[]
  /** Starts the next process. `onStep`: a step of a run became durable. */
  start(options: { readonly failpoint?: Failpoint; readonly onStep?: (type: string, runId: string) => void }): Promise<ServiceLife>
  /** From now on the failpoint counts. */
  arm(): Promise<void>
  /** Remembers that a process has ended. */
  noteKill(): Promise<void>
  journal(): Promise<readonly JournalLine[]>
  close(): Promise<void>
}

/**
 * A model group whose window holds three or four long answers of the planned model beside what
 * every prompt has. It is not called `small`: that one would make titles.
 */
const narrowModel = {
  SERVICE_MODELS__NARROW__PROVIDER: 'upstream',
  SERVICE_MODELS__NARROW__MODEL: 'recorded-model',
  SERVICE_MODELS__NARROW__API: 'completions',
  SERVICE_MODELS__NARROW__CONTEXT_WINDOW: '12000',
  SERVICE_MODELS__NARROW__MAX_TOKENS: '2000',
  SERVICE_MODELS__NARROW__RETRY__MAX_RETRIES: '0',
}

/** Makes the folder, signs the people up, and stops the service again. */
export async function openCrashSetting(random: Random, wanted: readonly CrashPersonOptions[]): Promise<CrashSetting> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-crashes-'))
  const model = await startPlannedModel(random)
  const tools = path.join(folder, 'tool-effects')
  const journal = path.join(folder, 'journal.jsonl')
  const armed = path.join(folder, 'armed')
  const environment = {
    ...fewPlugins(),
    SERVICE_PLUGINS_SOURCES: JSON.stringify([tools]),
    SERVICE_SERVER_SSE_PENDING_EVENTS_SECS: '120',
    ...narrowModel,
  }
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

  const people: CrashPerson[] = []
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
    for (const { username, asked = [], smallWindow = false } of wanted) {
      const person = await signUpPerson(url, username)
      await allowTools(url, person, effectToolNames, asked, smallWindow ? { model_group: 'narrow' } : {})
      people.push({ ...person, smallWindow })
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
