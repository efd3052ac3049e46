import { closeSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { problemsOf, temporaryFolder, writeSettled } from '../testing/configuration-fixture.js'
import { readConfigurationBytes } from './configuration-bytes.js'

const texts = ['a', 'b'].map((letter) => `server: {}\n${`# ${letter.repeat(80)}\n`.repeat(2000)}`) as readonly string[]
const isWhole = (text: string): boolean => texts.includes(text)

/**
 * Truncates the file and writes it in halves, like an editor or a copy that does not replace it.
 */
function writeInto(path: string, text: string): void {
  const file = openSync(path, 'w')
  try {
    writeSync(file, text.slice(0, text.length / 2))
    writeSync(file, text.slice(text.length / 2))
  } finally {
    closeSync(file)
  }
}

/**
 * Repeats an action every few milliseconds until it is stopped, with occasional longer pauses in
 * which a slow machine can read a file.
 */
function keepDoing(work: (round: number) => void): () => void {
  let round = 0
  let timer: NodeJS.Timeout
  const go = (): void => {
    work(round++)
    timer = setTimeout(go, [2, 8, 40][round % 3])
  }
  timer = setTimeout(go, 1)
  return () => clearTimeout(timer)
}

describe('reading the configuration file while it is written', function () {
  this.timeout(30_000)

  let path: string
  beforeEach(async () => {
    path = join(await temporaryFolder(), 'config.yaml')
    await writeSettled(path, texts[0] ?? '')
  })

  const readWhole = async (settled: boolean): Promise<boolean> => {
    const bytes = await readConfigurationBytes(path, { settled, quietMs: settled ? 200 : 3, patienceMs: 10_000 })
    return isWhole(String(bytes && Buffer.from(bytes)))
  }

  /** The result of a plain read on another thread while the file is written here. */
  const readWhileWriting = async (round: number): Promise<string> => {
    const file = await open(path)
    try {
      const reading = file.read(Buffer.alloc(400_000), 0, 400_000, 0)
      writeInto(path, texts[round % 2] ?? '')
      const { bytesRead, buffer } = await reading
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await file.close()
    }
  }

  it('returns one text or the other when it is written meanwhile, unlike a plain read', async () => {
    const stop = keepDoing((round) => writeInto(path, texts[round % 2] ?? ''))
    try {
      for (let round = 0; round < 100; round++) expect(await readWhole(false)).to.equal(true)
    } finally {
      stop()
    }
    let halves = 0
    for (let round = 0; halves === 0 && round < 20_000; round++) if (!isWhole(await readWhileWriting(round))) halves++
    expect(halves).to.equal(1)
  })

  for (const [name, length] of [
    ['half-written', 40_000],
    ['emptied', 0],
  ] as const)
    it(`waits for the rest of a file that was just ${name}`, async () => {
      const file = openSync(path, 'w')
      try {
        writeSync(file, (texts[1] ?? '').slice(0, length))
        expect(await readWhole(false)).to.equal(false)
        const reading = readWhole(true)
        setTimeout(() => writeSync(file, (texts[1] ?? '').slice(length)), 5)
        expect(await reading).to.equal(true)
      } finally {
        closeSync(file)
      }
    })

  it('refuses a file that keeps changing', async () => {
    writeInto(path, texts[1] ?? '')
    const stop = keepDoing((round) => writeInto(path, texts[round % 2] ?? ''))
    try {
      const problems = await problemsOf(() => readConfigurationBytes(path, { settled: true, quietMs: 100, patienceMs: 1 }))
      expect(problems[0]?.message).to.match(/written to without a pause for 1 ms/)
    } finally {
      stop()
    }
  })

  it('returns one text or the other at once when it is replaced', async () => {
    const stop = keepDoing((round) => {
      writeFileSync(`${path}.new`, texts[round % 2] ?? '')
      renameSync(`${path}.new`, path)
    })
    try {
      for (let round = 0; round < 100; round++) expect(await readWhole(false)).to.equal(true)
    } finally {
      stop()
    }
  })
})
