import { expect } from 'chai'
import type { AnnouncedChange } from './configuration-editor.js'
import { failureOf, openDesk } from './fixture.test.js'

describe('a change of the configuration that is announced', () => {
  const yaml = 'server:\n  log_level: warn\n'

  it('is announced once it holds and before it is there, with both revisions', async () => {
    const desk = await openDesk({ yaml })
    const { revision } = await desk.editor.read()
    const announced: AnnouncedChange[] = []
    const result = await desk.editor.save({ set: { 'server.log_level': 'debug' } }, revision, {
      async announce(change) {
        expect(await desk.text()).to.equal(yaml)
        announced.push(change)
      },
    })
    expect(announced).to.deep.equal([
      {
        ...{ before: { 'server.log_level': 'warn' }, after: { 'server.log_level': 'debug' } },
        ...{ previous_revision: revision, revision: result.revision },
      },
    ])
    expect((await desk.editor.read()).revision).to.equal(result.revision)
  })

  it('is not saved if it cannot be announced', async () => {
    const desk = await openDesk({ yaml })
    const full = new Error('storage full')
    const { revision } = await desk.editor.read()
    const failure: unknown = await desk.editor
      .save({ set: { 'server.log_level': 'debug' } }, revision, { announce: () => Promise.reject(full) })
      .catch((error: unknown) => error)
    expect(failure).to.equal(full)
    expect(await desk.text()).to.equal(yaml)
  })

  it('is not announced if it is refused or changes nothing', async () => {
    const desk = await openDesk({ yaml })
    const { revision } = await desk.editor.read()
    const announce = (): Promise<void> => Promise.reject(new Error('It was announced.'))
    expect((await failureOf(desk.editor.save({ set: { 'server.log_level': 'debug' } }, 'stale', { announce }))).code).to.equal(
      'stale_config',
    )
    expect((await failureOf(desk.editor.save({ set: { 'server.log_level': 5 } }, revision, { announce }))).code).to.equal(
      'configuration_patch_invalid',
    )
    expect(await desk.editor.save({ set: { 'server.log_level': 'warn' } }, revision, { announce })).to.include({ changed: false })
  })
})
