import { Badge, momentText, StateMark, whenText } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { Sender } from '../common/channel-api.js'
import { t } from '../common/texts.js'

/** A person as the connection knows them: their id at the vendor is what counts. */
export function PersonRow(props: {
  readonly person: Sender
  /** Over a shared connection everyone is the owner of their own account. */
  readonly isShared: boolean
  readonly children: JSX.Element
}): JSX.Element {
  const isAsking = (): boolean => props.person.state === 'pending'
  return (
    <div class="channels-person">
      <div class="channels-words">
        <span class="channels-name">
          <bdi class="key">{props.person.name === '' ? t('nameless') : props.person.name}</bdi>
          <Show when={!props.isShared && props.person.state === 'approved' && props.person.role === 'owner'}>
            <Badge tone="line">{t('role_owner')}</Badge>
          </Show>
        </span>
        <p class="channels-sub">
          <StateMark mark={isAsking() ? 'wait' : props.person.state === 'approved' ? 'done' : 'off'}>
            {t(`person_${props.person.state}`)}
          </StateMark>
          <span>
            {t('vendor_id')} <bdi class="mono">{props.person.sender_id}</bdi>
          </span>
          <Show when={isAsking() && props.person.held > 0}>
            <span>{t('held', { count: props.person.held })}</span>
          </Show>
          <span title={momentText(props.person.changed_at)}>{whenText(props.person.changed_at)}</span>
        </p>
        <Show when={isAsking() && props.person.code}>
          {(code) => (
            <p class="channels-sub">
              <span>
                {t('code')} <bdi class="mono channels-code">{code()}</bdi>
              </span>
              <Show when={props.person.code_expires_at}>
                {(at) => (
                  <span title={momentText(at())}>
                    {Date.parse(at()) > Date.now() ? t('code_until', { when: whenText(at()) }) : t('code_ended')}
                  </span>
                )}
              </Show>
            </p>
          )}
        </Show>
      </div>
      <div class="channels-buttons">{props.children}</div>
    </div>
  )
}
