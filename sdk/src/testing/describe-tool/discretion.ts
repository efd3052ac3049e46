import { strict as assert } from 'node:assert'
import type { Tool, ToolContext, ToolResult } from '../../contracts/tool/tool.js'
import { createSecretFinder } from '../secret-finder.js'
import { callTool } from './call-tool.js'
import type { ToolExample, ToolSuite } from './suite-options.js'

/** Rules for what a tool keeps to itself. */
export function describeDiscretion(suite: ToolSuite, example: ToolExample): void {
  const { runner, create, stateOf, options } = suite
  const { secrets = [], stranger, withheld } = options
  const call = (tool: Tool, changes: Partial<ToolContext>): Promise<ToolResult> =>
    callTool(options, tool, { input: structuredClone(example.input) }, changes)

  runner.it(`says no secret: ${example.title}`, async () => {
    if (secrets.length === 0) return
    const finder = createSecretFinder(secrets)
    const tool = create()
    for (const member of ['purpose', 'scopes', 'exactly', 'asks'] as const)
      finder.assertNone(tool[member]?.(structuredClone(example.input)), `what ${member} returns`)
    const shown: unknown[] = []
    const show = async (what: unknown): Promise<void> => void shown.push(what)
    finder.assertNone(await call(tool, { progress: show, output: show }), 'the result')
    finder.assertNone(shown, 'what the call shows while it runs')
  })
  runner.it(`gives a stranger nothing of what the user gets: ${example.title}`, async () => {
    if (stranger === undefined || stranger === 'not applicable' || example.isError === true) return
    const tool = create()
    const own = await call(tool, { callId: 'call-of-the-user' })
    const before = await stateOf(tool)
    // What a tool throws, the model does not read.
    const foreign = await call(tool, { ...stranger, callId: 'call-of-the-stranger' }).catch(() => undefined)
    if (withheld !== undefined) assertWithheld(foreign, withheld, example)
    else if (tool.effect === 'read' && foreign?.isError !== true)
      assert.notDeepEqual(
        foreign,
        own,
        'another user got the answer of the user; if it has nothing of the user, name in “withheld” the texts of the user that no other may read',
      )
    assert.deepEqual(await stateOf(tool), before, 'the call of another user changed what belongs to the user')
  })
}

/** Fails if a result has one of the texts that the call itself did not bring. */
function assertWithheld(result: ToolResult | undefined, texts: readonly string[], { input }: ToolExample): void {
  const [got, brought] = [result, input].map((value) => JSON.stringify(value ?? null))
  const leaked = texts.map((text) => JSON.stringify(text).slice(1, -1)).filter((text) => got?.includes(text) && !brought?.includes(text))
  assert.deepEqual(leaked, [], 'another user got texts of the user')
}
