import { setTimeout } from 'node:timers/promises'
import { fewPlugins } from '../support/few-plugins.js'
import { createRandom, type Random } from '../support/random.js'
import type { CampaignOptions } from './index.js'
import { crashProblems } from './support/crash-evidence.js'
import { createCrashRuns } from './support/crash-runs.js'
import { type CrashSetting, type Failpoint, openCrashSetting } from './support/crash-setting.js'
import { createCrashWatch } from './support/crash-watch.js'
import { measureResuming, type ResumingFigures } from './support/resuming.js'
import type { ServiceLife } from './support/service-life.js'

const killsOfFullForm = 200
/**
 * With the fewest people who can have a thousand runs, most of which then wait, and with enough
 * people to have all active at once.
 */
const fullResuming = [
  { runs: 1_000, people: 10 },
  { runs: 1_000, people: 32 },
]
/** How long a run may take to make progress beside all the others. */
const stuckMs = 60_000

/**
 * The steps of the log that every run has. Others are added once a run has one, and are the next to
 * be killed at.
 */
const stepTypes: readonly string[] = [
  'run.started',
  'model.requested',
  'model.completed',
  'tool.planned',
  'tool.started',
  'tool.completed',
  'tools.answered',
  'run.finished',
]

/** The result of the campaign, which throws on a violation. */
export interface CrashingRunsOutcome {
  readonly kills: number
  /** Kills at a transition; by `before tool.started`. */
  readonly forced: ReadonlyMap<string, number>
  readonly runs: number
  readonly calls: number
  /** How often older messages were summarised. */
  readonly summaries: number
  readonly resuming: readonly ResumingFigures[]
}

/**
 * Kills the service with SIGKILL while runs call tools, at random moments and before and after the
 * commit of every step, and checks that each run ends, each call is executed as its tool allows,
 * and nothing that a person wrote or saw is lost or repeated. One person has a model with a small
 * window, so that older messages of their runs are summarised: at most one summary covers a
 * position, and the chat still has all messages.
 */
export async function run({ seed, seconds, full, print }: CampaignOptions): Promise<CrashingRunsOutcome> {
  print(`SEED=${seed}`)
  const random = createRandom(seed)
  const setting = await openCrashSetting(random, [
    { username: 'ada' },
    { username: 'grace', asked: ['tool__checkable', 'tool__unsafe'] },
    { username: 'hedy', smallWindow: true },
  ])
  try {
    const outcome = await killRuns(setting, random, {
      batch: full ? 50 : 8,
      print,
      goOn: ({ kills, missing, startedAt }) =>
        full ? kills < killsOfFullForm || missing > 0 : kills < 3 || Date.now() - startedAt < (seconds * 1000) / 2,
    })
    const resuming: ResumingFigures[] = []
    for (const setting of full ? fullResuming : [{ runs: 40, people: 1, environment: fewPlugins() }]) {
      const figures = await measureResuming(setting)
      resuming.push(figures)
      print(
        `${figures.runs} open runs of ${setting.people === 1 ? 'one person' : `${setting.people} people`} after a kill: ready after ${figures.readyMs} ms; the ${figures.goingOn} that went on, the others ` +
          `waiting, had asked their model again after ${figures.resumedMs} ms (from the start of the process; the aim is 2,000 ms)`,
      )
    }
    return { ...outcome, resuming }
  } finally {
    await setting.close()
  }
}

async function killRuns(
  setting: CrashSetting,
  random: Random,
  options: {
    readonly batch: number
    readonly print: (line: string) => void
    readonly goOn: (state: { readonly kills: number; readonly missing: number; readonly startedAt: number }) => boolean
  },
): Promise<Omit<CrashingRunsOutcome, 'resuming'>> {
  const { batch, print, goOn } = options
  const problems: string[] = []
  const runs = createCrashRuns(random, setting.people)
  let address = ''
  const watch = createCrashWatch(setting.people, problems, (person, event) => runs.see(address, person, event))
  const forced = new Map<string, number>()
  const stepsSeen = new Set(stepTypes)
  const momentsOf = (type: string) => (['before', 'after'] as const).map((moment) => ({ type, moment }))
  const transitions = () => [...stepsSeen].flatMap(momentsOf)
  /** Runs with a step since the current process began. A repeated model call is not progress. */
  const moved = new Set<string>()
  let kills = 0
  let told = 0
  let toDo: ReturnType<typeof transitions> = []
  /** Moments of steps that were seen for the first time. */
  const fresh: ReturnType<typeof transitions> = []

  const open = (): readonly string[] => [...runs.posted].filter((id) => !watch.ended.has(id))
  const nextFailpoint = (atOnce: boolean): Failpoint => {
    if (toDo.length === 0) toDo = shuffled(transitions(), random)
    const transition = (atOnce ? undefined : fresh.shift()) ?? toDo.pop() ?? random.pick(transitions())
    // Steps that not every run has become frequent only slowly.
    const isRare = !stepTypes.includes(transition.type)
    return { ...transition, count: random.between(1, isRare ? 3 : atOnce ? 8 : 15), atOnce }
  }

  const begin = (failpoint: Failpoint | undefined): Promise<ServiceLife> => {
    moved.clear()
    return setting.start({
      ...(failpoint ? { failpoint } : {}),
      onStep(type, runId) {
        if (!stepsSeen.has(type)) fresh.push(...momentsOf(type))
        stepsSeen.add(type)
        if (type !== 'model.requested') moved.add(runId)
        watch.look()
      },
    })
  }

  const stuck = async (life: ServiceLife, ids: readonly string[]): Promise<Error> =>
    new Error(`${await runs.describe(address, ids)}\n${[...problems, ...setting.model.problems, ...life.log].join('\n')}`)

  /** The process has ended: it must have been killed, by the campaign or by itself. */
  const conclude = async (life: ServiceLife, failpoint: Failpoint | undefined, byItself: boolean): Promise<void> => {
    const { code, signal } = await life.ended
    watch.drop()
    if (signal !== 'SIGKILL') throw new Error(`The service ended with ${code ?? signal}:\n${life.log.join('\n')}`)
    await setting.noteKill()
    kills += 1
    problems.push(...life.errors.map((line) => `the log says: ${line.slice(0, 500)}`))
    if (!failpoint || !byItself) return
    const name = `${failpoint.moment} ${failpoint.type}`
    forced.set(name, (forced.get(name) ?? 0) + 1)
  }

  /**
   * A process that is killed early: while it starts, while it resumes its runs, or at their first
   * steps.
   */
  const liveShortly = async (failpoint: Failpoint | undefined): Promise<void> => {
    const life = await begin(failpoint)
    const ended = life.ended.then(() => true)
    const byItself = await Promise.race([ended, setTimeout(failpoint ? 6_000 : random.between(100, 3_000), false)])
    if (!byItself) await life.kill()
    await conclude(life, failpoint, byItself)
  }

  /**
   * A process in which every run makes progress, so that none is set aside for repeated crashes;
   * then it is killed.
   */
  const liveOn = async (failpoint: Failpoint | undefined): Promise<void> => {
    const life = await begin(failpoint)
    const url = await life.ready
    if (url === undefined) return conclude(life, failpoint, true)
    address = url
    await watch.connect(url)
    runs.answerAll(url)
    if (runs.unposted() === 0 && open().length === 0) runs.plan(batch)
    await runs.post(url)
    const until = (holds: () => boolean) => watch.until(holds, { ended: life.ended, withinMs: stuckMs })
    const allMoved = await until(() => open().every((id) => moved.has(id)))
    if (!allMoved)
      throw await stuck(
        life,
        open().filter((id) => !moved.has(id)),
      )
    if (!failpoint) {
      await setTimeout(random.between(0, 500))
      await life.kill()
      return conclude(life, failpoint, false)
    }
    await setting.arm()
    while (life.child.exitCode === null && life.child.signalCode === null) {
      if (!(await until(() => open().length === 0)) && life.child.signalCode === null) throw await stuck(life, open())
      if (life.child.signalCode !== null) break
      runs.plan(batch)
      await runs.post(url)
    }
    await conclude(life, failpoint, true)
  }

  const startedAt = Date.now()
  for (let round = 0; goOn({ kills, missing: transitions().length - forced.size, startedAt }); round += 1) {
    await liveOn(round % 2 === 0 || fresh.length > 0 ? nextFailpoint(false) : undefined)
    // Two in a row without progress for all would set runs aside.
    if (random.next() < 0.5) await liveShortly(random.next() < 0.5 ? nextFailpoint(true) : undefined)
    if (kills >= told + 25) {
      told += 25
      print(`${kills} kills, ${runs.posted.size} runs, ${open().length} open`)
    }
  }

  const last = await begin(undefined)
  const url = await last.ready
  if (url === undefined) throw new Error(`The service no longer starts:\n${last.log.join('\n')}`)
  address = url
  await watch.connect(url)
  runs.answerAll(url)
  await runs.post(url)
  if (!(await watch.until(() => open().length === 0, { ended: last.ended, withinMs: stuckMs }))) throw await stuck(last, open())
  await watch.settled()

  const journal = await setting.journal()
  const evidence = await runs.evidence(url)
  const { said, summarised, effects } = setting.model
  problems.push(
    ...setting.model.problems,
    ...crashProblems({ runs: evidence, journal, effects, said, summarised, seen: watch.seen, shown: watch.shown }),
  )
  watch.drop()
  await last.kill()

  const calls = evidence.reduce((sum, { plan }) => sum + plan.turns.flat().length, 0)
  const summaries = evidence.reduce((sum, run) => sum + run.summaries.length, 0)
  const times = [...forced.values()].reduce((sum, count) => sum + count, 0)
  const unknown = evidence
    .flatMap(({ messages }) => messages.flatMap(({ content }) => content))
    .filter(({ outcome }) => outcome === 'unknown').length
  print(
    `${kills} kills, ${times} of them at ${forced.size} of ${transitions().length} moments of the log; ${evidence.length} runs, ${calls} calls, ${unknown} of unknown outcome, ${summaries} summaries`,
  )
  print(`${watch.gaps()} times a tab read a chat again; ${problems.length} problems`)
  if (problems.length > 0) throw new Error(`${problems.length} problems:\n${problems.slice(0, 20).join('\n')}`)
  return { kills, forced, runs: evidence.length, calls, summaries }
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
