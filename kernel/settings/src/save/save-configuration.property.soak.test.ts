import { writeFile } from 'node:fs/promises'
import { composeSchema } from '@agent-service/kernel-core/config'
import { modelPlugins } from '@agent-service/kernel-core/config/testing'
import { type JsonObject, ServiceError } from '@agent-service/sdk'
import { expect } from 'chai'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { type Desk, effective, openDesk } from './fixture.test.js'
import { withChanges } from './plan-change.js'
import { patchBetween, valueFor, withinRules } from './random-configuration.test.js'
import { readPatch } from './read-patch.js'

const { schema } = composeSchema(
  modelPlugins.map(({ manifest }) => manifest),
  [],
)
const configurations = (valueFor(schema) as fc.Arbitrary<JsonObject>).map(withinRules)
const environment = { HOME_OF_IT: 'a home' }

/** Whether a file with these values would be taken. */
const holds = async (desk: Desk, value: JsonObject): Promise<boolean> => {
  await writeFile(desk.path, stringify(value, { lineWidth: 0, compat: 'yaml-1.1' }))
  return (await desk.editor.check()).problems.length === 0
}

describe('a random configuration', function () {
  this.timeout(60_000)

  it('that is saved section by section into nothing is read as what it was', async () => {
    const desk = await openDesk({ environment })
    let tried = 0
    await fc.assert(
      fc.asyncProperty(configurations, async (value) => {
        fc.pre(await holds(desk, value))
        tried++
        await writeFile(desk.path, '')
        await desk.save({ set: value })
        const { saved } = await desk.editor.read()
        expect(await effective(desk, saved)).to.deep.equal(await effective(desk, value))
      }),
      { numRuns: 40, maxSkipsPerRun: 1000, endOnFailure: true, interruptAfterTimeLimit: 20_000 },
    )
    expect(tried).to.be.at.least(40)
  })

  it('that is changed by a random patch means what it meant with the patch, and the same save again changes nothing', async () => {
    const desk = await openDesk({ environment })
    let changed = 0
    const cases = fc
      .tuple(configurations, configurations, fc.constantFrom(0, 2, 4), fc.boolean())
      // Two places may have been given one object: it would be an anchor in the text, and a change
      // of one a change of both.
      .map(([from, to, ...style]) => [JSON.parse(JSON.stringify(from)) as JsonObject, to, ...style] as const)
      .chain(([from, to, indent, flow]) => patchBetween(from, to).map((patch) => ({ from, patch, indent, flow })))
    await fc.assert(
      fc.asyncProperty(cases, async ({ from, patch, indent, flow }) => {
        fc.pre(await holds(desk, from))
        const target = withChanges(from, readPatch(patch).changes)
        const text = stringify(from, {
          lineWidth: 0,
          compat: 'yaml-1.1',
          ...(indent === 0 ? {} : { indent }),
          ...(flow ? { collectionStyle: 'flow' } : {}),
        })
        const expected = await holds(desk, target)
        await writeFile(desk.path, text)
        try {
          const first = await desk.save(patch)
          expect(expected, JSON.stringify({ from, patch })).to.equal(true)
          expect(await effective(desk, (await desk.editor.read()).saved)).to.deep.equal(await effective(desk, target))
          expect(await desk.save(patch)).to.deep.equal({ ...first, changed: false })
          if (first.changed) changed++
        } catch (error) {
          if (!ServiceError.isInstance(error) || error.code !== 'configuration_patch_invalid') throw error
          expect(expected, `${error.message}\n${JSON.stringify({ from, patch })}`).to.equal(false)
          expect(await desk.text()).to.equal(text)
        }
      }),
      { numRuns: 60, maxSkipsPerRun: 1000, endOnFailure: true, interruptAfterTimeLimit: 20_000 },
    )
    expect(changed).to.be.at.least(20)
  })
})
