import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BenchChild, startChild } from './child.js'
import { type Figure, median } from './figures.js'
import { createLeanHttp, type LeanHttp } from './lean-http.js'
import { costOfTree } from './process-tree.js'
import { programOf, startService } from './service-child.js'
import { type Caller, converse, newCaller, rate } from './stream-bench.js'
import { type Round, runTurns } from './turns-load.js'
import { openService, type TurnsSubject } from './turns-subjects.js'

const callers = 64
const levels = [1, 16, 64]
const rounds = 5
const starts = 9
const singles = 60

/** One of the two programs, and the folders that are its own. */
interface Side {
  readonly name: 'this commit' | 'the other'
  readonly binary: string | undefined
}

/**
 * Start, turns and streams of this checkout beside those of another one that is built, in turns, so
 * that a change of the machine's speed meets both. `BENCH_BESIDE` is the absolute path of the other
 * checkout. @throws where it is not set.
 */
export async function benchCommits(print: (line: string) => void): Promise<readonly Figure[]> {
  const other = process.env['BENCH_BESIDE']
  if (other === undefined) throw new Error('Set BENCH_BESIDE to the absolute path of another checkout that is built.')
  const sides: readonly Side[] = [
    { name: 'this commit', binary: undefined },
    { name: 'the other', binary: programOf(other) },
  ]
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-commits-'))
  try {
    return [
      ...(await measureStarts(sides, folder, print)),
      ...(await measureTurns(sides, folder, print)),
      ...(await measureStreams(sides, folder, print)),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureStarts(sides: readonly Side[], folder: string, print: (line: string) => void): Promise<readonly Figure[]> {
  print(`  ${starts} starts of each, in turns`)
  const ready = sides.map((): number[] => [])
  const memory = sides.map((): number[] => [])
  for (let round = -1; round < starts; round += 1) {
    for (const [index, side] of sides.entries()) {
      const place = await mkdtemp(path.join(folder, 'start-'))
      const service = await startService({ folder: place, upstream: 'http://127.0.0.1:9/v1', ...binaryOf(side) })
      if (round >= 0) ready[index]?.push(service.startedMs)
      if (round >= 0) memory[index]?.push((await costOfTree(service.process)).residentMb)
      await service.stop()
    }
  }
  return [beside('start to ready', 'ms', ready.map(median)), beside('memory behind the start', 'MB', memory.map(median))]
}

async function measureTurns(sides: readonly Side[], folder: string, print: (line: string) => void): Promise<readonly Figure[]> {
  const upstream = await startChild('./turns-upstream.js')
  const http = createLeanHttp()
  const subjects: TurnsSubject[] = []
  try {
    for (const side of sides) subjects.push(await openSubject(side, http, upstream, folder))
    print(`  signing up ${callers} callers of each service (the sign-up limit makes this take a while)`)
    await Promise.all(subjects.map((subject) => subject.prepare(callers)))
    for (const subject of subjects) await runTurns(subject, { atOnce: callers, seconds: 4, callers })
    const figures: Figure[] = []
    for (const atOnce of levels) {
      print(`  ${atOnce} at a time, ${rounds} rounds of 4 seconds each, in turns`)
      const results = subjects.map((): Round[] => [])
      for (let round = 0; round < rounds; round += 1) {
        for (const [index, subject] of subjects.entries()) results[index]?.push(await runTurns(subject, { atOnce, seconds: 4, callers }))
      }
      const of = (value: (round: Round) => number): readonly number[] => results.map((all) => median(all.map(value)))
      figures.push(
        beside(
          `turns a second, ${atOnce} at a time`,
          '/s',
          of(({ turnsPerSecond }) => turnsPerSecond),
        ),
        beside(
          `a turn, ${atOnce} at a time, p50`,
          'ms',
          of(({ times }) => median(times)),
        ),
        beside(
          `processor time of a turn, ${atOnce} at a time`,
          'ms',
          of(({ cpuMsOfTurn }) => cpuMsOfTurn),
        ),
        beside(
          `memory at most, ${atOnce} at a time`,
          'MB',
          of(({ peakMb }) => peakMb),
        ),
      )
    }
    return figures
  } finally {
    await Promise.all(subjects.map((subject) => subject.close()))
    http.close()
    await upstream.stop()
  }
}

async function openSubject(side: Side, http: LeanHttp, upstream: BenchChild, folder: string): Promise<TurnsSubject> {
  return openService(side.name, http, { upstream: upstream.url, folder: await mkdtemp(path.join(folder, 'turns-')), ...binaryOf(side) })
}

async function measureStreams(sides: readonly Side[], folder: string, print: (line: string) => void): Promise<readonly Figure[]> {
  const upstream = await startChild('./scripted-upstream.js')
  const services: BenchChild[] = []
  try {
    const people: (readonly Caller[])[] = []
    print(`  signing up ${callers} callers of each service for streams`)
    for (const side of sides) {
      const service = await startService({
        folder: await mkdtemp(path.join(folder, 'streams-')),
        upstream: upstream.url,
        ...binaryOf(side),
      })
      services.push(service)
      const own: Caller[] = []
      for (let index = 0; index < callers; index += 1) own.push(await newCaller(service.url, `caller${index}`))
      people.push(own)
    }
    const first = sides.map((): number[] => [])
    for (let round = -10; round < singles; round += 1) {
      for (const [index, [caller]] of people.entries()) {
        if (!caller) throw new Error('There is no caller.')
        const { firstMs } = await converse(caller)
        if (round >= 0) first[index]?.push(firstMs)
      }
    }
    const rates = sides.map((): number[] => [])
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, own] of people.entries()) rates[index]?.push(await rate((caller: Caller) => converse(caller), own))
    }
    for (const { stream } of people.flat()) stream.close()
    return [
      beside('first token, one caller', 'ms', first.map(median)),
      beside(`streams a second, ${callers} callers`, '/s', rates.map(median)),
    ]
  } finally {
    for (const child of [...services, upstream]) await child.stop()
  }
}

const binaryOf = ({ binary }: Side): { readonly binary?: string } => (binary === undefined ? {} : { binary })

function beside(what: string, unit: string, [ours = Number.NaN, theirs = Number.NaN]: readonly number[]): Figure {
  return { what, ours, unit, baseline: { name: 'the other', value: theirs } }
}
