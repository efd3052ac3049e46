import { Button, CopyButton, createAction, Failure, Mark } from '@agent-service/sdk/web'
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import type { ChannelApi, Connection } from '../common/channel-api.js'
import { readAgain } from '../common/channel-queries.js'
import { t } from '../common/texts.js'

type Outcome = 'test_sent' | 'test_silent' | 'test_failed' | 'test_off' | 'test_shared'

/** Tries the connection, with a test message to where its owner wrote last; and the address at which the vendor reaches it. */
export function TestPanel(props: {
  readonly channels: ChannelApi
  readonly connection: Connection
  /** Whether it is tested without being asked, at the end of setting it up. */
  readonly atOnce: boolean
}): JSX.Element {
  const [outcome, setOutcome] = createSignal<Outcome>()
  const controller = new AbortController()
  onCleanup(() => controller.abort())
  const test = createAction(async () => {
    setOutcome(undefined)
    try {
      const { connection, delivery } = await props.channels.test(props.connection.id, controller.signal)
      setOutcome(outcomeOf(connection, delivery !== null))
    } finally {
      readAgain(props.connection.id)
    }
  })
  if (props.atOnce) void test.run()
  /** What the test has found, for as long as the state agrees. */
  const shown = (): Outcome | undefined => {
    const found = outcome()
    if (found === 'test_off') return props.connection.state === 'off' ? found : undefined
    return (found === 'test_failed') === (props.connection.state !== 'connected') ? found : undefined
  }
  return (
    <div class="channels-test">
      <div class="channels-line">
        <Button size="small" icon="bolt" busy={test.busy()} onClick={() => void test.run()}>
          {t(test.busy() ? 'testing' : 'test')}
        </Button>
        <p class="channels-result" role="status">
          <Show when={shown()}>
            {(found) => (
              <>
                <Mark name={found() === 'test_failed' ? 'fail' : found() === 'test_off' ? 'pause' : 'done'} />
                {t(found())}
              </>
            )}
          </Show>
        </p>
      </div>
      <Show when={test.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show when={props.connection.webhook_url}>
        {(address) => (
          <div class="channels-address">
            <p class="channels-sub">{t('address')}</p>
            <div class="channels-line">
              <code class="mono channels-url">{address()}</code>
              <CopyButton text={address} label={t('copy_address')} />
            </div>
            <p class="help">{t('address_help')}</p>
          </div>
        )}
      </Show>
    </div>
  )
}

function outcomeOf({ state, shared }: Connection, hasMessage: boolean): Outcome {
  if (state === 'off') return 'test_off'
  if (state !== 'connected') return 'test_failed'
  if (shared) return 'test_shared'
  return hasMessage ? 'test_sent' : 'test_silent'
}
