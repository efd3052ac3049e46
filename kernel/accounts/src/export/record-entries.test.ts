import type { UserDataRecord } from '@agent-service/sdk/contracts/user-data'
import { expect } from 'chai'
import { newReport } from './export-report.js'
import { recordEntries } from './record-entries.js'

type Export = (userId: string, options: { readonly signal: AbortSignal }) => AsyncIterable<UserDataRecord>

const never = new AbortController().signal
/** Waits until the signal aborts. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))

describe('the records of an archive', () => {
  const open = (exporting: Export, signals: { readonly signal?: AbortSignal; readonly stopped?: AbortSignal } = {}) => {
    const report = newReport('notes', 'data/notes')
    const failures: unknown[] = []
    const clock = { now: () => 1_000 } as never
    const entries = recordEntries({
      ...{ data: { id: 'notes', export: exporting }, userId: 'ada', report, clock, recordLimitMs: 30 },
      ...{ signal: never, stopped: never, onFailure: (error: unknown) => failures.push(error), ...signals },
    })
    return { report, failures, entries }
  }
  const read = async (entries: ReturnType<typeof open>['entries']): Promise<Readonly<Record<string, string>>> => {
    const found = new Map<string, string>()
    for await (const { name, input } of entries) {
      let text = ''
      if (typeof input === 'string') text = input
      else for await (const piece of input) text += Buffer.from(piece).toString()
      found.set(name, text)
    }
    return Object.fromEntries(found)
  }

  it('are gathered by folder, one line each, and counted', async () => {
    const { report, entries } = open(async function* () {
      yield { path: 'notes/1.json', json: { text: 'ü' } }
      yield { path: 'notes/2.json', json: [1] }
      yield { path: 'state.json', json: null }
    })
    expect(await read(entries)).to.deep.equal({
      'data/notes/notes.ndjson': '{"path":"notes/1.json","data":{"text":"ü"}}\n{"path":"notes/2.json","data":[1]}\n',
      'data/notes/state.json': 'null\n',
    })
    expect(report).to.deep.include({ items: 3, bytes: Buffer.byteLength('{"text":"ü"}[1]null'), problems: [] })
  })

  it('end at one that takes too long, and the plugin is aborted', async () => {
    let aborted = false
    const { report, failures, entries } = open(async function* (_, { signal }) {
      yield { path: 'notes/1.json', json: 1 }
      await untilAborted(signal).catch(() => {
        aborted = true
      })
    })
    expect(Object.keys(await read(entries))).to.deep.equal(['data/notes/notes.ndjson'])
    expect(report.problems).to.have.length(1)
    expect(failures).to.have.length(1)
    expect(aborted).to.equal(true)
  })

  it('end when the plugin stops, without an error for the archive', async () => {
    const stopping = new AbortController()
    const { report, entries } = open(
      async function* (_, { signal }) {
        yield { path: 'notes/1.json', json: 1 }
        stopping.abort(new Error('stopping'))
        await untilAborted(signal)
      },
      { stopped: stopping.signal },
    )
    expect(Object.keys(await read(entries))).to.deep.equal(['data/notes/notes.ndjson'])
    expect(report.problems.map(({ code }) => code)).to.deep.equal(['export_failed'])
  })

  it('fail when the export itself is aborted', async () => {
    const controller = new AbortController()
    const { report, entries } = open(
      async function* () {
        yield { path: 'notes/1.json', json: 1 }
        controller.abort(new Error('gone'))
        yield { path: 'notes/2.json', json: 2 }
        await untilAborted(controller.signal)
      },
      { signal: controller.signal },
    )
    expect(await read(entries).catch((error: unknown) => (error as Error).message)).to.equal('gone')
    expect(report.problems).to.deep.equal([])
  })

  it('refuse what is not JSON with a path', async () => {
    for (const record of [{ path: 'a.json' }, { json: 1 }, undefined]) {
      const { report, entries } = open(async function* () {
        yield record as never
      })
      expect(await read(entries)).to.deep.equal({})
      expect(report.problems).to.have.length(1)
    }
  })

  it('have a bounded number of files', async () => {
    const { report, entries } = open(async function* () {
      for (let number = 0; number < 3_000; number += 1) yield { path: `${number % 2}/${number}.json`, json: number }
    })
    const files = await read(entries)
    expect(Object.keys(files)).to.have.length(1_001)
    expect(files['data/notes/more.ndjson']?.split('\n')).to.have.length(2_001)
    expect(report.items).to.equal(3_000)
  })
})
