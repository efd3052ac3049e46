import { expect } from 'chai'
import { createLog } from './create-log.js'
import { createRedactor } from './create-redactor.js'

const canary = 'kanarienvogel-4711'

function capture(): { readonly lines: string[]; readonly stream: { write(line: string): void } } {
  const lines: string[] = []
  return { lines, stream: { write: (line) => void lines.push(line) } }
}

describe('log', () => {
  it('writes one JSON object a line with level, time, message and the fields of all parents', () => {
    const { lines, stream } = capture()
    const { logger } = createLog({ redactor: createRedactor(), stream })
    logger.child({ plugin: 'a' }).child({ run_id: 'r' }).warn('slow', { took_ms: 5, level: 'mine' })
    const line: unknown = JSON.parse(lines[0] ?? '')
    expect(line).to.include({ level: 'warn', msg: 'slow', plugin: 'a', run_id: 'r', took_ms: 5, level_: 'mine' })
    expect(line)
      .to.have.property('time')
      .that.matches(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(lines[0]).to.match(/\}\n$/)
  })

  it('passes each line on as redacted JSON, also where people read it', () => {
    for (const format of ['json', 'pretty'] as const) {
      const passed: string[] = []
      const { lines, stream } = capture()
      const redactor = createRedactor()
      redactor.protect(canary)
      const { logger } = createLog({ redactor, stream, format, onLine: (line) => void passed.push(line) })
      logger.info(`slow ${canary}`, { took_ms: 5 })
      logger.debug('left out')
      expect(passed.map((line) => JSON.parse(line) as unknown)).to.have.nested.property('[0].took_ms', 5)
      expect([passed.length, lines.length]).to.deep.equal([1, 1])
      expect(passed[0]).to.not.include(canary)
    }
  })

  it('omits lines below its level, from the next line on', () => {
    const { lines, stream } = capture()
    const log = createLog({ redactor: createRedactor(), stream, level: 'warn' })
    log.logger.info('no')
    log.setLevel('debug')
    log.logger.debug('yes')
    log.setLevel('error')
    log.logger.child({}).warn('no')
    expect(lines).to.have.length(1)
  })

  for (const format of ['json', 'pretty'] as const) {
    it(`16.2.5 logs no secret, in whatever way it gets into a line (${format})`, () => {
      const { lines, stream } = capture()
      const redactor = createRedactor()
      const { logger } = createLog({ redactor, stream, format })
      const early = logger.child({ session: canary })
      redactor.protect(canary)
      early.info('bound before it was known to be secret')
      logger.info(`message ${canary}`, { field: canary, nested: [{ field: `x${canary}x` }] })
      logger.error('failed', { error: new Error(`e ${canary}`, { cause: new Error(canary) }) })
      logger.error(canary, { [canary]: canary })
      logger.child({ error: new Error(canary) }).warn('child')
      logger.info('url', { url: `https://h/?token=${encodeURIComponent(canary)}` })
      expect(lines).to.have.length(6)
      expect(lines.join('')).to.not.contain(canary)
      expect(lines.every((line) => line.includes('[redacted]'))).to.equal(true)
    })
  }

  it('16.4.1 prevents logged text from controlling the terminal', () => {
    const { lines, stream } = capture()
    const { logger } = createLog({ redactor: createRedactor(), stream, format: 'pretty' })
    logger.info('a\u001b[2Jb\rc\u009bd \\u001b', { field: '\u001b]0;x\u0007' })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(lines.join('')).to.not.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    expect(lines.join('')).to.contain('a\\u001b[2Jb\\rc\\u009bd')
  })

  it('never throws, whatever value is logged', () => {
    const { lines, stream } = capture()
    const { logger } = createLog({ redactor: createRedactor(), stream })
    const cycle: Record<string, unknown> = {}
    cycle['cycle'] = cycle
    logger.info('cycle', cycle)
    logger.info('getter', {
      get bad(): string {
        throw new Error('no')
      },
    })
    logger.info(undefined as unknown as string, null as unknown as Record<string, unknown>)
    expect(lines).to.have.length(3)
    const failing = createLog({
      redactor: createRedactor(),
      stream: {
        write: () => {
          throw new Error('full')
        },
      },
    })
    failing.logger.info('lost')
    failing.flush()
  })
})
