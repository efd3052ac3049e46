import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { ReportedFigures } from '../programs/report-figures.js'
import { writeConfiguration } from '../support/configuration.js'
import { setUpCodeOf } from '../support/set-up-code.js'
import type { CampaignOptions } from './index.js'
import { type ServiceLife, startLife } from './support/service-life.js'
import type { AttackCounts } from './support/worst-account/attack-worker.js'
import { chosenAttacks } from './support/worst-account/attacks.js'
import type { Bystander, Noticed } from './support/worst-account/bystander.js'
import type { Caller } from './support/worst-account/caller.js'
import { exceededBounds, grouped, grownResources, heldLimits, targetPeakMb } from './support/worst-account/judge.js'
import { createNoticed, quantiles, shown, shownCounts, shownNoticed, type WorstAccountOutcome } from './support/worst-account/outcome.js'
import { prepare, type Setting } from './support/worst-account/setting.js'
import { collect, createWatch, type Watch } from './support/worst-account/watch.js'
import { startWorstModel } from './support/worst-account/worst-model.js'

/**
 * How long the service may take to release all resources, in seconds: searches and their waiting
 * requests end by themselves.
 */
const restSeconds = { full: 180, short: 12 }

/**
 * One account attacks the service at random, while others chat, read and sign in.
 * `ATTACKS=streams,bodies` selects attacks.
 * @throws if resources are still in use at the end, if a request of the others is refused or fails,
 * and if the service ends; in full, also if the others' p99 of a simple GET exceeds its bound.
 */
export async function run(options: CampaignOptions): Promise<WorstAccountOutcome> {
  const outcome = await measure(options)
  if (outcome.problems.length > 0) throw new Error(`${outcome.problems.length} problems:\n${outcome.problems.slice(0, 20).join('\n')}`)
  return outcome
}

/** Like {@link run}, with the problems in the outcome. */
export async function measure({ seed, seconds, full, print }: CampaignOptions): Promise<WorstAccountOutcome> {
  const names = chosenAttacks(process.env['ATTACKS'], { full })
  print(`SEED=${seed}, attacks: ${names.join(', ')}`)
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-worst-'))
  const model = await startWorstModel()
  const watch = createWatch()
  let life: ServiceLife | undefined
  try {
    await writeConfiguration(folder, model.url)
    life = startLife({
      folder,
      environment: { SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1' },
      preload: new URL('../programs/report-figures.js', import.meta.url),
      onLine: watch.onLine,
    })
    const url = await life.ready
    if (url === undefined) throw new Error(`The service did not start:\n${life.log.join('\n')}`)
    const campaign = await prepare(url, setUpCodeOf(life), { seed, names, atOnce: full ? 3 : 2 })
    const problems: string[] = []
    void life.ended.then(({ code, signal }) => void problems.push(`the service ended: ${signal ?? code}`))
    try {
      const before = await collect(life, watch)
      print(`before: ${shown(before)}`)
      const quiet = createNoticed()
      await live(campaign.others, quiet, problems, full ? 10 : 2)
      print(`alone: ${shownNoticed(quiet)}`)
      watch.reset()
      const noticed = createNoticed()
      const counts = await attackMeanwhile(campaign, { noticed, problems, seconds, watch, print })
      for (const [name, answers] of Object.entries(counts)) print(`  ${name}: ${shownCounts(answers)}`)
      const { worstStallMs, peakMb } = watch.worst()
      const { after, left } = await rest(life, {
        watch,
        before,
        caller: campaign.caller,
        seconds: full ? restSeconds.full : restSeconds.short,
      })
      print(`after: ${shown(after)}`)
      const outcome = {
        ...{
          alone: quantiles(quiet.gets),
          gets: quantiles(noticed.gets),
          turns: quantiles(noticed.turns),
          signIns: quantiles(noticed.signIns),
          worstStallMs,
          peakMb,
        },
        heapMb: { before: before.heapMb + before.externalMb, after: after.heapMb + after.externalMb },
        sockets: { before: before.sockets, after: after.sockets },
      }
      print(`others: ${shownNoticed(noticed)}; worst stall ${worstStallMs.toFixed(0)} ms, peak ${peakMb} MiB (target: ${targetPeakMb})`)
      return { ...outcome, problems: [...grouped(problems), ...(full ? exceededBounds(outcome) : []), ...left] }
    } finally {
      campaign.close()
    }
  } finally {
    await life?.kill()
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Waits until all resources are released, or the time is over; returns what is still in use. */
async function rest(
  life: ServiceLife,
  {
    watch,
    before,
    caller,
    seconds,
  }: { readonly watch: Watch; readonly before: ReportedFigures; readonly caller: Caller; readonly seconds: number },
): Promise<{ readonly after: ReportedFigures; readonly left: readonly string[] }> {
  for (const end = Date.now() + seconds * 1_000; ; ) {
    await setTimeout(1_000)
    const after = await collect(life, watch)
    const hasEnded = life.child.exitCode !== null || life.child.signalCode !== null
    const left = hasEnded ? [] : [...grownResources(before, after), ...(await heldLimits(caller))]
    if (left.length === 0 || Date.now() >= end) return { after, left }
  }
}

/** Runs the other accounts for a time. */
async function live(others: readonly Bystander[], noticed: Noticed, problems: string[], seconds: number): Promise<void> {
  const over = new AbortController()
  const living = Promise.all(
    others.map((other) => other.live(noticed, problems, over.signal).catch((error: unknown) => problems.push(String(error)))),
  )
  await setTimeout(seconds * 1_000)
  over.abort()
  await living
}

async function attackMeanwhile(
  { others, order }: Setting,
  {
    noticed,
    problems,
    seconds,
    watch,
    print,
  }: {
    readonly noticed: Noticed
    readonly problems: string[]
    readonly seconds: number
    readonly watch: Watch
    readonly print: (line: string) => void
  },
): Promise<AttackCounts> {
  const worker = new Worker(new URL('./support/worst-account/attack-worker.js', import.meta.url), { workerData: order })
  const said = new Promise<AttackCounts>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  const report = setInterval(() => {
    const { worstStallMs, peakMb } = watch.worst()
    print(`${shownNoticed(noticed)}; worst stall ${worstStallMs.toFixed(0)} ms, peak ${peakMb} MiB`)
  }, 30_000)
  try {
    await live(others, noticed, problems, seconds)
    worker.postMessage('end')
    return await said
  } finally {
    clearInterval(report)
    await worker.terminate()
  }
}
