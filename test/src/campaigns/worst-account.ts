import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { ReportedFigures } from '../programs/report-figures.js'
import { writeConfiguration } from '../support/configuration.js'
import { setUpCodeOf } from '../support/set-up-code.js'
import type { CampaignOptions } from './index.js'
import { createDelayFigures, type DelayFigures } from './support/delay-figures.js'
import { type ServiceLife, startLife } from './support/service-life.js'
import type { AttackCounts, AttackOrder } from './support/worst-account/attack-worker.js'
import { chosenAttacks } from './support/worst-account/attacks.js'
import { type Bystander, type Noticed, signUpBystander } from './support/worst-account/bystander.js'
import { type Caller, createCaller } from './support/worst-account/caller.js'
import { startWorstModel } from './support/worst-account/worst-model.js'

/** What others noticed, and what the service took. Milliseconds and MiB. */
export interface WorstAccountOutcome {
  readonly gets: Quantiles
  readonly turns: Quantiles
  readonly signIns: Quantiles
  readonly worstStallMs: number
  readonly peakMb: number
  /** Behind a collection of garbage: before the attacks, and after a rest behind them. */
  readonly heapMb: { readonly before: number; readonly after: number }
  readonly sockets: { readonly before: number; readonly after: number }
  /** What did not hold. */
  readonly problems: readonly string[]
}

interface Quantiles {
  readonly p50: number
  readonly p99: number
  readonly count: number
}

/** What has to hold for everybody else. */
const aims = { getP99Ms: 250, peakMb: 400, grownHeapMb: 24 }
/** How long the service rests before it is looked at for what was left behind, in seconds. */
const restSeconds = { full: 90, short: 4 }
const bystanders = 4

/**
 * One account does its worst, at random, while others chat, read and sign in. `ATTACKS=streams,bodies` chooses. It throws where the others' p99 of a simple
 * GET, the peak of memory or what is left behind is above the aims, where the service refuses or fails the others, and where it ends.
 */
export async function run(options: CampaignOptions): Promise<WorstAccountOutcome> {
  const outcome = await measure(options)
  if (outcome.problems.length > 0) throw new Error(`${outcome.problems.length} problems:\n${outcome.problems.slice(0, 20).join('\n')}`)
  return outcome
}

/** As {@link run}; what did not hold is in the outcome. */
export async function measure({ seed, seconds, full, print }: CampaignOptions): Promise<WorstAccountOutcome> {
  const names = chosenAttacks(process.env['ATTACKS'])
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
    const gone = life.ended.then(({ code, signal }) => void problems.push(`the service ended: ${signal ?? code}`))
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
      await Promise.race([gone, setTimeout((full ? restSeconds.full : restSeconds.short) * 1_000)])
      const after = await collect(life, watch)
      print(`after: ${shown(after)}`)
      const outcome = {
        ...{ gets: quantiles(noticed.gets), turns: quantiles(noticed.turns), signIns: quantiles(noticed.signIns), worstStallMs, peakMb },
        heapMb: { before: before.heapMb + before.externalMb, after: after.heapMb + after.externalMb },
        sockets: { before: before.sockets, after: after.sockets },
      }
      print(`others: ${shownNoticed(noticed)}; worst stall ${worstStallMs.toFixed(0)} ms, peak ${peakMb} MiB`)
      const holds = life.child.exitCode === null && life.child.signalCode === null ? await heldLimits(campaign.caller) : []
      return { ...outcome, problems: [...grouped(problems), ...shortOf(outcome), ...(full ? holds : [])] }
    } finally {
      campaign.close()
    }
  } finally {
    await life?.kill()
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Campaign {
  readonly others: readonly Bystander[]
  readonly order: AttackOrder
  /** An administrator, for the metrics. */
  readonly caller: Caller
  close(): void
}

/** Signs everybody up, and gives the attacker something to be large with. */
async function prepare(url: string, setupCode: string, attack: Pick<AttackOrder, 'seed' | 'names' | 'atOnce'>): Promise<Campaign> {
  const first = await signUpBystander(url, { name: 'admin', address: '203.0.113.1', setupCode })
  const others: Bystander[] = []
  for (let index = 0; index < bystanders; index += 1)
    others.push((await signUpBystander(url, { name: `bystander-${index}`, address: `198.51.100.${index + 1}` })).bystander)
  const address = '192.0.2.66'
  const worst = await signUpBystander(url, { name: 'worst', address })
  const attacker = createCaller(url, { address, token: worst.token })
  const json = async (method: string, target: string, body?: unknown): Promise<Record<string, unknown>> => {
    const { status, text } = await attacker.call(method, target, body === undefined ? {} : { body })
    if (status >= 300) throw new Error(`${method} ${target} answered ${status}: ${text}`)
    return JSON.parse(text) as Record<string, unknown>
  }
  const { items } = (await json('GET', '/api/agents')) as { readonly items: readonly { readonly id: string }[] }
  await json('PATCH', `/api/agents/${items[0]?.id}`, { tools: ['search_files'], approval: { '*': 'never' } })
  const chatId = String((await json('POST', '/api/chats', {}))['id'])
  for (let time = 0; time < 20; time += 1)
    await json('POST', `/api/chats/${chatId}/messages`, { content: `${time} ${'word '.repeat(10_000)}` })
  const exported = (await attacker.call('GET', `/api/chats/${chatId}/export`)).text
  attacker.close()
  const caller = createCaller(url, { address: '203.0.113.1', token: first.token })
  return {
    others,
    caller,
    order: { url, token: worst.token, address, chatId, exported, ...attack },
    close() {
      for (const each of [...others, first.bystander, worst.bystander, caller]) each.close()
    },
  }
}

/** Lets the others live for a time. */
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
  { others, order }: Campaign,
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

interface Watch {
  readonly onLine: (line: string) => void
  worst(): { readonly worstStallMs: number; readonly peakMb: number }
  reset(): void
  /** The next figures behind a collection of garbage. */
  collected(): Promise<ReportedFigures>
}

/** Reads what the service reports of itself. */
function createWatch(): Watch {
  let worst = { worstStallMs: 0, peakMb: 0 }
  let tell: (figures: ReportedFigures) => void = () => undefined
  return {
    onLine(line) {
      const [, word, text] = /^(figures|collected) (\{.*\})$/.exec(line) ?? []
      if (text === undefined) return
      const figures = JSON.parse(text) as ReportedFigures
      if (word === 'collected') tell(figures)
      else worst = { worstStallMs: Math.max(worst.worstStallMs, figures.stallMs), peakMb: Math.max(worst.peakMb, figures.residentMb) }
    },
    worst: () => worst,
    reset() {
      worst = { worstStallMs: 0, peakMb: 0 }
    },
    collected: () => new Promise((resolve) => (tell = resolve)),
  }
}

const nothing: ReportedFigures = { stallMs: 0, residentMb: 0, heapMb: 0, externalMb: 0, sockets: 0 }

/** Collects the service's garbage; nothing where it has ended. */
function collect({ child, ended }: ServiceLife, watch: Watch): Promise<ReportedFigures> {
  const figures = watch.collected()
  child.kill('SIGUSR2')
  return Promise.race([figures, ended.then(() => nothing)])
}

/** Limits of which something is still taken, though nothing goes on. */
async function heldLimits(caller: Caller): Promise<readonly string[]> {
  const { status, text } = await caller.call('GET', '/metrics')
  if (status !== 200) return [`the metrics answered ${status}`]
  return [...text.matchAll(/^(limit_used|limit_waiting|http_streams_open)(?:\{limit="([^"]*)"\})? ([1-9]\d*)$/gm)]
    .filter(([, , name]) => !/stor|byte/.test(name ?? ''))
    .map(([, metric, name = '', value]) => `${metric} ${name} is still ${value}`.replace('  ', ' '))
}

function shortOf({ gets, peakMb, heapMb }: Pick<WorstAccountOutcome, 'gets' | 'peakMb' | 'heapMb'>): readonly string[] {
  return [
    ...(gets.p99 > aims.getP99Ms ? [`the others' p99 of a simple GET was ${gets.p99.toFixed(0)} ms, above ${aims.getP99Ms} ms`] : []),
    ...(peakMb > aims.peakMb ? [`the peak of memory was ${peakMb} MiB, above ${aims.peakMb} MiB`] : []),
    ...(heapMb.after > heapMb.before + aims.grownHeapMb ? [`memory grew from ${heapMb.before} MiB to ${heapMb.after} MiB`] : []),
  ]
}

/** The same problem once, with how often it was there. */
function grouped(problems: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const problem of problems.map((each) => each.replace(/"request_id":"[^"]*"/, '')))
    counts.set(problem, (counts.get(problem) ?? 0) + 1)
  return [...counts].map(([problem, count]) => (count === 1 ? problem : `${problem} (${count} times)`))
}

const createNoticed = (): Noticed => ({ gets: createDelayFigures(), turns: createDelayFigures(), signIns: createDelayFigures() })
const quantiles = (figures: DelayFigures): Quantiles => ({
  p50: figures.quantile(0.5),
  p99: figures.quantile(0.99),
  count: figures.count(),
})
const shownQuantiles = (figures: DelayFigures): string =>
  `${figures.quantile(0.5).toFixed(0)}/${figures.quantile(0.99).toFixed(0)} ms (${figures.count()})`
const shownNoticed = ({ gets, turns, signIns }: Noticed): string =>
  `p50/p99 of a GET ${shownQuantiles(gets)}, of a turn ${shownQuantiles(turns)}, of a sign-in ${shownQuantiles(signIns)}`
const shown = ({ residentMb, heapMb, externalMb, sockets }: ReportedFigures): string =>
  `${residentMb} MiB resident, ${heapMb} MiB of heap, ${externalMb} MiB beside it, ${sockets} connections`
const shownCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([status, count]) => `${status} ×${count}`)
    .join(', ')
