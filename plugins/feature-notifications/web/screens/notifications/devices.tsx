import { Button, createAction, currentProfile, Failure, showToast, Toggle, whenText } from '@agent-service/sdk/web'
import { createEffect, createSignal, For, type JSX, Show } from 'solid-js'
import { api, createQuery, type Schemas } from '../../api/index.js'
import { startPresence } from './presence.js'
import { keepPush, type PushState, pushState, turnPushOff, turnPushOn } from './push-browser.js'
import { t } from './texts.js'

type Devices = Schemas['NotificationDevices']
type Device = Schemas['NotificationDevice']

/** Notifications on devices: this browser, and the others of the person. Nothing is asked for but by a click. */
export function DeviceSettings(): JSX.Element {
  // What this browser had in an earlier session is there again before the list is read; the start of the console reports a failure.
  const kept = keepPush(currentProfile()?.id ?? '').catch(() => undefined)
  const query = createQuery({
    key: () => ['devices'],
    read: async (signal) => {
      await kept
      return api.get('/api/notifications/devices', { signal })
    },
  })
  const [state, setState] = createSignal<PushState>()
  createEffect(() => {
    const devices = query.value()
    if (devices) void pushState(devices).then(setState)
  })
  const doing = createAction(
    async (work: () => Promise<unknown>) => {
      try {
        await work()
      } finally {
        await query.reload()
      }
    },
    { concurrent: true },
  )
  const turnOn = ({ public_key: key }: Devices): Promise<unknown> =>
    doing.run(async () => {
      if (key !== null && (await turnPushOn(currentProfile()?.id ?? '', key))) startPresence()
    })
  const remove = ({ id, current }: Device): Promise<unknown> =>
    doing.run(async () => {
      await api.delete('/api/notifications/devices/{device_id}', { path: { device_id: id } })
      if (current) await turnPushOff()
    })
  const test = ({ id }: Device): Promise<unknown> =>
    doing.run(async () => {
      const { outcome } = await api.post('/api/notifications/devices/{device_id}/test', { path: { device_id: id } })
      showToast(t(outcome === 'sent' ? 'push_test_sent' : 'push_test_failed'))
    })
  const showContent = (devices: Devices, content: boolean): Promise<unknown> =>
    doing.run(async () => {
      // The switch stands where the person put it while the service stores that.
      query.set({ ...devices, content })
      query.set(await api.patch('/api/notifications/devices', { body: { content } }))
    })
  return (
    <Show when={query.value()}>
      {(value) => (
        <section class="notifications-part">
          <h2 class="h3">{t('push')}</h2>
          <Show when={value().public_key !== null} fallback={<p class="help notifications-note">{t('push_off_for_all')}</p>}>
            <p class="help notifications-note">{t(`push_${state() ?? 'off'}`)}</p>
            <Show when={doing.failure()}>{(error) => <Failure error={error()} />}</Show>
            <Show when={state() === 'off'}>
              <Button icon="bell" busy={doing.busy()} onClick={() => void turnOn(value())}>
                {t('push_turn_on')}
              </Button>
            </Show>
            <Show when={value().devices.length > 0}>
              <Toggle label={t('push_content')} value={value().content} onInput={(content) => void showContent(value(), content)} />
              <ul class="rows">
                <For each={value().devices}>
                  {(device) => <DeviceRow device={device} onTest={() => void test(device)} onRemove={() => void remove(device)} />}
                </For>
              </ul>
            </Show>
          </Show>
        </section>
      )}
    </Show>
  )
}

function DeviceRow(props: { readonly device: Device; readonly onTest: () => void; readonly onRemove: () => void }): JSX.Element {
  return (
    <li class="notifications-choice">
      <div>
        <p class="key">
          <bdi>{props.device.name}</bdi> <Show when={props.device.current}>{t('push_this')}</Show>
        </p>
        <p class="help">{t('push_since', { at: whenText(props.device.created_at), service: props.device.service })}</p>
      </div>
      <div class="row">
        <Button size="small" label={t('push_test_of', { name: props.device.name })} onClick={() => props.onTest()}>
          {t('push_test')}
        </Button>
        <Button size="small" kind="danger" label={t('push_remove_of', { name: props.device.name })} onClick={() => props.onRemove()}>
          {t('push_remove')}
        </Button>
      </div>
    </li>
  )
}
