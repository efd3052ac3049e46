import { parseYaml } from '@agent-service/kernel-core/config/yaml'
import { createPowerFailureDisk, failEverywhere, type MissingSync, type PowerFailure } from '@agent-service/kernel-core/disk/testing'
import { expect } from 'chai'
import { removeLeftovers, writeConfiguration } from './write-configuration.js'

const target = { path: '/data/config.yaml', previousPath: '/data/config.yaml.previous', owner: undefined }
const saves = 4
const textOf = (save: number): string =>
  `server: { port: ${save} }\n${`# ${'x'.repeat(100 * (saves - save))}\n`}cache: { entity_ttl_secs: ${save} }\n`
const portIn = (text: string | undefined): unknown => {
  const parsed = text === undefined ? undefined : parseYaml(text)
  const server = parsed && 'value' in parsed ? parsed.value['server'] : undefined
  return server && text === textOf(Number((server as { readonly port: number }).port))
    ? (server as { readonly port: number }).port
    : `no whole text: ${text}`
}

/**
 * Saves until the power fails, then looks at every disk that may be left. Says what was wrong with
 * the first bad one.
 */
async function failAt(operation: number, missing: MissingSync): Promise<PowerFailure> {
  const disk = createPowerFailureDisk({ failAt: operation, missing })
  let acknowledged = 0
  let finished = true
  for (let save = 1; save <= saves && finished; save++) {
    try {
      await removeLeftovers(disk.fileSystem, target)
      const before = await disk.fileSystem.readFile(target.path)
      await writeConfiguration(disk.fileSystem, target, { before, after: textOf(save) }, async () => undefined)
      acknowledged = save
    } catch {
      finished = false
    }
  }
  for (const left of disk.survivors()) {
    const text = await left.readFile(target.path)
    const found = text === undefined ? 0 : portIn(text)
    const writing = finished ? acknowledged : acknowledged + 1
    if (found !== acknowledged && found !== writing)
      return { problem: `found ${String(found)}, acknowledged was ${acknowledged}`, finished }
    const previous = await left.readFile(target.previousPath)
    const before = previous === undefined ? 0 : portIn(previous)
    if (typeof before !== 'number' || before < acknowledged - 1 || before > acknowledged)
      return { problem: `the one before is ${String(before)}, acknowledged was ${acknowledged}`, finished }
  }
  return { finished }
}

const withPowerFailures = (missing: MissingSync) => failEverywhere((operation) => failAt(operation, missing))

describe('the configuration file after a power failure', () => {
  it('is the one that was saved last or the one being saved, whole, with the one before it beside it, wherever the power failed', async () => {
    const { problems, failures } = await withPowerFailures('none')
    expect(problems).to.deep.equal([])
    expect(failures).to.be.at.least(saves * 8)
  })

  it('would be found out without the sync of the file', async () => {
    expect((await withPowerFailures('file')).problems.join('\n')).to.contain('no whole text')
  })

  it('would be found out without the sync of the folder', async () => {
    expect((await withPowerFailures('folder')).problems.join('\n')).to.contain('found 0, acknowledged was')
  })
})
