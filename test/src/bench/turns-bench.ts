import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { removeFolder } from '../support/service-process.js'
import { startChild } from './child.js'
import { type Figure, median } from './figures.js'
import { createLeanHttp, type LeanHttp } from './lean-http.js'
import { installPeer, peerFile, peerNode } from './peers.js'
import { costOfTree } from './process-tree.js'
import { type Round, runTurns } from './turns-load.js'
import { openMastra, openService, type TurnsSubject } from './turns-subjects.js'

const levels = [1, 16, 64]
const callers = 64
const seconds = 4
const rounds = 3
const restMs = 3_000
const mastra = 'Mastra'

interface Measured {
  readonly subject: TurnsSubject
  readonly restMb: number
  readonly rounds: Map<number, Round[]>
}

/**
 * A full turn (message in, one tool call, answer out), HTTP to HTTP, against an upstream that
 * answers at once: through the whole service, and through Mastra's agent server with its memory in
 * a file, both under the same Node.
 */
export async function benchTurns(print: (line: string) => void): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-turns-'))
  const upstream = await startChild('./turns-upstream.js')
  const http = createLeanHttp()
  const subjects: TurnsSubject[] = []
  try {
    for (const open of await openers(folder, upstream.url, http, print)) subjects.push(await open())
    await delay(restMs)
    const all: Measured[] = []
    for (const subject of subjects) {
      all.push({ subject, restMb: (await costOfTree(subject.child.process)).residentMb, rounds: new Map() })
    }
    print(`  signing up ${callers} callers of each service (the sign-up limit makes this take a while)`)
    await Promise.all(subjects.map((subject) => subject.prepare(callers)))
    // A first round warms all of them.
    for (const { subject } of all) await runTurns(subject, { atOnce: callers, seconds, callers })
    for (const atOnce of levels) {
      print(`  ${atOnce} at a time, ${rounds} rounds of ${seconds} seconds each, in turns`)
      for (let round = 0; round < rounds; round += 1) {
        for (const measured of all) {
          const result = await runTurns(measured.subject, { atOnce, seconds, callers })
          measured.rounds.set(atOnce, [...(measured.rounds.get(atOnce) ?? []), result])
        }
      }
    }
    return figuresOf(all)
  } finally {
    await Promise.all(subjects.map((subject) => subject.close()))
    http.close()
    await upstream.stop()
    await removeFolder(folder)
  }
}

/**
 * Ours under the peers' Node, the peer, ours under this Node; the first two where they can be
 * installed.
 */
async function openers(
  folder: string,
  upstream: string,
  http: LeanHttp,
  print: (line: string) => void,
): Promise<readonly (() => Promise<TurnsSubject>)[]> {
  const folderOf = async (name: string): Promise<string> => {
    const place = path.join(folder, name)
    await mkdir(place)
    return place
  }
  const here = async (): Promise<TurnsSubject> =>
    openService(`Node ${process.version}`, http, { upstream, folder: await folderOf('service-here') })
  if (!(await installPeer('node-22', print))) return [here]
  const node = peerNode()
  const beside: (() => Promise<TurnsSubject>)[] = []
  if (await installPeer('sqlite-node-22', print)) {
    const nodeOptions = ['--require', peerFile('sqlite-node-22', 'preload.cjs')]
    beside.push(async () => openService('Node 22', http, { upstream, node, nodeOptions, folder: await folderOf('service') }))
  }
  if (await installPeer('mastra', print)) {
    beside.push(async () => openMastra(mastra, http, { upstream, node, folder: await folderOf('mastra') }))
  }
  return [...beside, here]
}

function figuresOf(all: readonly Measured[]): readonly Figure[] {
  const peer = all.find(({ subject }) => subject.name === mastra)
  const own = all.filter((measured) => measured !== peer)
  const figures: Figure[] = []
  for (const atOnce of levels) {
    for (const [index, measured] of own.entries()) {
      // The first is the one under the same Node; the others stand beside it.
      const beside = index === 0 ? peer : undefined
      const what = `${atOnce} at a time, ${measured.subject.name}`
      const rate = (from: Measured): number => median(roundsOf(from, atOnce).map(({ turnsPerSecond }) => turnsPerSecond))
      const time = (part: number) => (from: Measured) =>
        quantile(
          roundsOf(from, atOnce).flatMap(({ times }) => times),
          part,
        )
      const cpu = (from: Measured): number => median(roundsOf(from, atOnce).map(({ cpuMsOfTurn }) => cpuMsOfTurn))
      const aim = (ratio: number) => ({ text: "at least twice the peer's", met: ratio >= 2 })
      figures.push(
        {
          ...figure(`${what}: turns a second`, '/s', rate, measured, beside),
          ...(beside && atOnce === 64 && { aim: aim(rate(measured) / rate(beside)) }),
        },
        figure(`${what}: a turn, p50`, 'ms', time(0.5), measured, beside),
        figure(`${what}: a turn, p99`, 'ms', time(0.99), measured, beside),
        figure(`${what}: processor time of a turn`, 'ms', cpu, measured, beside),
      )
    }
  }
  for (const [index, measured] of own.entries()) {
    const beside = index === 0 ? peer : undefined
    const peak = (from: Measured): number => Math.max(...roundsOf(from, 64).map(({ peakMb }) => peakMb))
    figures.push(
      figure(`resident memory at rest, ${measured.subject.name}`, 'MB', ({ restMb }) => restMb, measured, beside),
      {
        ...figure(`resident memory at most, 64 at a time, ${measured.subject.name}`, 'MB', peak, measured, beside),
        ...(beside && { aim: { text: "at most half of the peer's", met: peak(measured) <= peak(beside) / 2 } }),
      },
    )
  }
  return figures
}

const roundsOf = (measured: Measured, atOnce: number): readonly Round[] => measured.rounds.get(atOnce) ?? []

function figure(
  what: string,
  unit: string,
  value: (from: Measured) => number,
  ours: Measured,
  peer: Measured | undefined,
): Figure & { readonly what: string } {
  return { what, ours: value(ours), unit, ...(peer && { baseline: { name: peer.subject.name, value: value(peer) } }) }
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
