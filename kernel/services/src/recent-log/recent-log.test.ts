import { createLog, createRedactor } from '@agent-service/kernel-core/log'
import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import type { LogEntry } from './log-entry.js'
import { logMetric } from './log-metric.js'
import { followEntries, latestEntries } from './read-log.js'
import { createRecentLines } from './recent-lines.js'

const { signal } = new AbortController()

/** A real log whose lines are kept. */
function logWithLines(options: Parameters<typeof createRecentLines>[0] = {}) {
  const redactor = createRedactor()
  const lines = createRecentLines({ epoch: 'e', ...options })
  const stream = { write: () => undefined }
  const { logger } = createLog({ redactor, stream, level: 'debug', onLine: (line) => lines.add(line) })
  return { redactor, logger, source: { lines, redactor } }
}

const numbers = (entries: readonly LogEntry[]): readonly string[] => entries.map(({ id }) => id)

describe('the recent lines of the log', () => {
  it('are at most so many, and so many characters together', () => {
    const lines = createRecentLines({ maxLines: 100, maxCharacters: 2_000 })
    for (let number = 1; number <= 1_000; number += 1) lines.add(`{"n":${number}}`)
    expect(lines.between(0, 2_000)).to.have.length(100)
    expect([lines.oldest(), lines.newest()]).to.deep.equal([901, 1_000])
    expect(lines.between(950, 951)).to.deep.equal([
      { number: 950, line: '{"n":950}' },
      { number: 951, line: '{"n":951}' },
    ])
    lines.add('x'.repeat(1_500))
    lines.add('y'.repeat(1_500))
    expect(lines.between(0, 2_000).map(({ number }) => number)).to.deep.equal([1_002])
  })

  it('are counted by level', () => {
    const { logger, source } = logWithLines()
    logger.info('one')
    logger.warn('two')
    logger.child({ level: 'error' }).warn('three')
    const { samples } = logMetric(source.lines)
    expect(samples().map(({ labels, value }) => [labels['level'], value])).to.deep.equal([
      ['debug', 0],
      ['info', 1],
      ['warn', 2],
      ['error', 0],
    ])
  })

  it('are listed page by page, the latest first, with their source, level and fields', async () => {
    const { logger, source } = logWithLines()
    logger.info('Started.')
    logger.child({ module: 'http' }).debug('request', { status: 200 })
    logger.child({ module: 'scheduler' }).child({ plugin: 'tool-lamp', job: 'shine' }).warn('Late.')
    const all = await latestEntries(source, {}, { limit: 10, signal })
    expect(all.entries.map(({ id, level, source: from, message, fields }) => [id, level, from, message, fields])).to.deep.equal([
      ['e-3', 'warn', 'tool-lamp', 'Late.', { module: 'scheduler', job: 'shine' }],
      ['e-2', 'debug', 'http', 'request', { status: 200 }],
      ['e-1', 'info', 'service', 'Started.', {}],
    ])
    expect(all.before).to.equal(undefined)
    const first = await latestEntries(source, {}, { limit: 2, signal })
    expect([numbers(first.entries), first.before]).to.deep.equal([['e-3', 'e-2'], 2])
    expect(numbers((await latestEntries(source, {}, { limit: 2, before: 2, signal })).entries)).to.deep.equal(['e-1'])
  })

  it('are filtered by level, source and search', async () => {
    const { logger, source } = logWithLines()
    const lamp = logger.child({ plugin: 'tool-lamp' })
    for (let number = 0; number < 120; number += 1) logger.debug('noise')
    lamp.info('On.')
    lamp.error('Broke.', { room: 'Attic' })
    const found = async (filter: Parameters<typeof latestEntries>[1]) =>
      (await latestEntries(source, filter, { limit: 200, signal })).entries.map(({ message }) => message)
    expect(await found({ level: 'info' })).to.deep.equal(['Broke.', 'On.'])
    expect(await found({ level: 'error' })).to.deep.equal(['Broke.'])
    expect(await found({ source: 'tool-lamp' })).to.deep.equal(['Broke.', 'On.'])
    expect(await found({ search: 'attic' })).to.deep.equal(['Broke.'])
    expect(await found({ search: 'noise', level: 'warn' })).to.deep.equal([])
  })

  it('16.2.5 hold no secret, also none that became one after the line was written', async () => {
    const { redactor, logger, source } = logWithLines()
    redactor.protect('kanarienvogel-4711')
    logger.info('kanarienvogel-4711', { field: 'kanarienvogel-4711', password: 'geheim' })
    expect(source.lines.between(1, 1)[0]?.line).to.not.match(/kanarienvogel|geheim/)
    logger.child({ plugin: 'a' }).info('later-secret-0815', { field: ['later-secret-0815'] })
    redactor.protect('later-secret-0815')
    const { entries } = await latestEntries(source, {}, { limit: 10, signal })
    expect(JSON.stringify(entries)).to.not.match(/kanarienvogel|geheim|later-secret/)
  })
})

describe('following the log', () => {
  const next = async (events: AsyncGenerator<ServerSentEvent>) => {
    const { value } = await events.next()
    if (!value || 'comment' in value) throw new Error('There is no event.')
    return { id: value.id, event: value.event, data: JSON.parse(value.data) as { items?: LogEntry[]; missed?: number } }
  }

  it('gives what is written from now on, and what is wanted of it', async () => {
    const { logger, source } = logWithLines()
    logger.error('before')
    const events = followEntries(source, { level: 'warn' }, { after: source.lines.newest(), signal })
    const event = next(events)
    logger.info('not wanted')
    logger.warn('wanted')
    expect((await event).data.items?.map(({ message }) => message)).to.deep.equal(['wanted'])
    expect((await event).id).to.equal('e-3')
    await events.return(undefined)
  })

  it('gives a slow reader a gap instead of what is no longer kept, and holds nothing for it', async () => {
    const { logger, source } = logWithLines({ maxLines: 10 })
    const events = followEntries(source, {}, { after: 0, signal })
    for (let number = 1; number <= 100; number += 1) logger.info(`line ${number}`)
    expect(await next(events)).to.deep.equal({ id: 'e-90', event: 'gap', data: { missed: 90 } })
    expect(numbers((await next(events)).data.items ?? [])).to.have.length(10)
    await events.return(undefined)
  })

  it('ends with its signal, also while it waits', async () => {
    const { source } = logWithLines()
    const controller = new AbortController()
    const events = followEntries(source, {}, { after: 0, signal: controller.signal })
    const waiting = events.next()
    controller.abort()
    expect(await waiting).to.deep.equal({ done: true, value: undefined })
  })
})
