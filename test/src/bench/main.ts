import { benchAuthentication } from './authentication-bench.js'
import { benchChannels } from './channels-bench.js'
import { benchCommits } from './commits-bench.js'
import { benchConfiguration } from './configuration-bench.js'
import { benchConsole } from './console-bench.js'
import { benchConsolePages } from './console-pages-bench.js'
import { benchDatabase } from './database-bench.js'
import { benchErasure } from './erasure-bench.js'
import { benchFairness } from './fairness-bench.js'
import { printFigures } from './figures.js'
import { benchLongChats } from './long-chats-bench.js'
import { benchMemory } from './memory-bench.js'
import { benchMemoryLoad } from './memory-load-bench.js'
import { benchPolicies } from './policies-bench.js'
import { benchProviders } from './providers-bench.js'
import { benchRestart } from './restart-bench.js'
import { benchSandbox } from './sandbox-bench.js'
import { benchStart } from './start-bench.js'
import { benchStreams } from './stream-bench.js'
import { benchTurns } from './turns-bench.js'

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const parts: Readonly<Record<string, () => Promise<void>>> = {
  start: async () => printFigures('Start (medians of 5)', await benchStart(print), print),
  restart: async () => printFigures('Restart in place (medians of 5)', await benchRestart(print), print),
  configuration: async () => printFigures('Configuration (200 connections, 200 groups)', await benchConfiguration(), print),
  authentication: async () => printFigures('Authentication at every request (medians of 5)', await benchAuthentication(), print),
  policies: async () => printFigures('Decisions by policy', await benchPolicies(), print),
  streams: async () => printFigures('Streams through the whole service', await benchStreams(print), print),
  providers: async () =>
    printFigures('Streams of 60 events through the adapters, beyond raw fetch', await benchProviders(10_000, print), print),
  'providers-in-full': async () =>
    printFigures('Streams of 60 events through the adapters, beyond raw fetch', await benchProviders(100_000, print), print),
  turns: async () => printFigures('A full turn: a message, a tool call, the answer', await benchTurns(print), print),
  'long-chats': async () => printFigures('A chat of 5,000 messages beside chats of 50', await benchLongChats(print), print),
  memory: async () => {
    printFigures('Finding memories', await benchMemory(print), print)
    printFigures('What memory costs', await benchMemoryLoad(print), print)
  },
  channels: async () => printFigures('Channels', await benchChannels(print), print),
  commits: async () => printFigures('This checkout compared with BENCH_BESIDE', await benchCommits(print), print),
  erasure: async () => printFigures('The cost of erasing deleted data (driver sqlite)', await benchErasure(print), print),
  fairness: async () => printFigures('The effect of one account on another', await benchFairness(print), print),
  sandbox: async () => printFigures('Commands in the sandbox (medians of 200, in turns)', await benchSandbox(print), print),
  console: async () => printFigures('The console in Chromium', await benchConsole(print), print),
  'console-pages': async () => printFigures('The pages of the console in Chromium (medians of 5)', await benchConsolePages(print), print),
  database: async () => printFigures('Database (driver sqlite)', await benchDatabase(print), print),
}

/** Run only by name: they take long, or need another checkout. */
const onlyByName: readonly string[] = ['providers-in-full', 'commits']

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in parts))
if (unknown.length > 0) {
  print(`Unknown bench “${unknown.join('”, “')}”. Known: ${Object.keys(parts).join(', ')}.`)
  process.exitCode = 2
} else {
  print(`Node ${process.version}. Times on a shared machine are rough; compare the ratios within one run.`)
  for (const [name, run] of Object.entries(parts)) {
    if (wanted.length === 0 ? !onlyByName.includes(name) : wanted.includes(name)) await run()
  }
}
