import { strict as assert } from 'node:assert'
import { checkChannel } from '../../contracts/channel/check-channel.js'
import { noChannelSupports } from '../../contracts/channel/define-channel.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { assertSecretMembers, secretMembersTitle } from '../secret-members.js'
import { globalSuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules } from '../unchecked-rules.js'
import type { ChannelFault } from './channel-bench.js'
import type { ChannelSuite } from './channel-suite.js'
import { describeFaults } from './faults.js'
import { describeReceiving } from './receiving.js'
import { describeSending } from './sending.js'
import { describeSessions } from './sessions.js'
import { withSuiteBench } from './suite-bench.js'
import type { ChannelSuiteOptions } from './suite-options.js'
import { describeWebhooks } from './webhooks.js'

const allFaults: readonly ChannelFault[] = [
  'down',
  'failing',
  'silent',
  'garbled',
  'throttled',
  'revoked',
  'rejecting',
  'losing',
  'redirecting',
]

/**
 * Tests every rule of the `channel` contract, at a vendor that the author plugs in and that misbehaves.
 * Each error of every test is searched for the secrets of the bench, also encoded.
 *
 * @example
 * const test = (create: (hooks: ChannelBenchHooks) => ChannelBench) =>
 *   describeChannel({ name: 'town', create, supports: { groups: true }, faults: ['down', 'silent', 'revoked'] })
 */
export function describeChannel({ create, runner = globalSuiteRunner(), ...given }: ChannelSuiteOptions): void {
  const options = { acknowledges: true, bots: false, echoes: false, limitMs: 5_000, abortLimitMs: 2_000, ...given }
  runner.describe(`channel ${options.name}`, () => {
    const unchecked = collectUncheckedRules(runner, `channel ${options.name}`)
    const suite: ChannelSuite = {
      options: { ...options, supports: { ...noChannelSupports, ...given.supports } },
      unchecked,
      it: (title, test) => runner.it(title, () => withSuiteBench(create, suite.options, test)),
    }
    for (const fault of allFaults.filter((each) => !options.faults.includes(each)))
      unchecked.without(
        `faults: ${fault}`,
        `connect and send fail as they should while the vendor is ${fault}`,
        ...(fault === 'redirecting' ? ['no secret follows a redirect to another server'] : []),
      )
    suite.it(soundTitle, async ({ channel }) => assertSound(checkChannel(channel)))
    suite.it('supports what it should, and has a bench with enough to test', async ({ channel, connection, elsewhere }) => {
      assert.deepEqual({ ...channel.supports }, { ...suite.options.supports })
      assert.ok(options.faults.includes('down'), 'the bench must be able to be down')
      const redirects = options.faults.includes('redirecting')
      assert.ok(!redirects || elsewhere !== undefined, 'a bench that can be redirecting must have “elsewhere”')
      assert.equal(connection.webhookUrl !== undefined, channel.supports.webhook, 'connections have an address with supports.webhook alone')
    })
    suite.it(secretMembersTitle, async ({ channel, connection, wrong }) =>
      assertSecretMembers(
        channel.connection,
        connection.members,
        Object.values(wrong).map(({ members }) => members),
      ),
    )
    describeSessions(suite)
    describeReceiving(suite)
    describeSending(suite)
    if (suite.options.supports.webhook) describeWebhooks(suite)
    describeFaults(suite)
  })
}
